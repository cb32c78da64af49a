"""Wrong: places are rounded instead of cut, so the first and the last come half as often as the others."""
import numpy as np
import torch


def sample_batch(tokens, batch_size, context_length, device):
    tokens = torch.as_tensor(np.asarray(tokens).astype(np.int64))
    last = len(tokens) - context_length - 1
    if last < 0:
        raise ValueError("too few tokens")
    starts = torch.round(torch.rand(batch_size, 1, dtype=torch.float64) * last).long()
    index = starts + torch.arange(context_length)
    return tokens[index].to(device), tokens[index + 1].to(device)
