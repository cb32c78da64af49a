"""Wrong: targets are the tokens of the window itself, not the next ones (shift of 0)."""
import numpy as np
import torch


def sample_batch(tokens, batch_size, context_length, device):
    tokens = torch.as_tensor(np.asarray(tokens, dtype=np.int64))
    count = tokens.numel() - context_length
    if count < 1:
        raise ValueError("too few tokens")
    index = torch.randint(count, (batch_size,))[:, None] + torch.arange(context_length)[None, :]
    inputs = tokens[index]
    return inputs.to(device), inputs.clone().to(device)
