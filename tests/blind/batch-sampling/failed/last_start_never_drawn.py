"""Wrong: randint's upper bound is exclusive already and 1 is subtracted again, so the last place is never drawn (and a single window raises an error of randint's)."""
import numpy as np
import torch


def sample_batch(tokens, batch_size, context_length, device):
    n = len(tokens)
    if n < context_length + 1:
        raise ValueError("too few tokens")
    tokens = torch.as_tensor(np.asarray(tokens).astype(np.int64))
    starts = torch.randint(0, n - context_length - 1, (batch_size,))
    x = torch.stack([tokens[s : s + context_length] for s in starts])
    y = torch.stack([tokens[s + 1 : s + 1 + context_length] for s in starts])
    return x.to(device), y.to(device)
