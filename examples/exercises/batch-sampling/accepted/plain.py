"""Slices, stacked."""

import numpy as np
import torch


def sample_batch(tokens, batch_size, context_length, device):
    last = len(tokens) - context_length - 1
    if last < 0:
        raise ValueError("too few tokens")
    starts = torch.randint(0, last + 1, (batch_size,)).tolist()
    tokens = np.asarray(tokens)
    x = torch.stack([torch.from_numpy(tokens[i : i + context_length].astype(np.int64)) for i in starts])
    y = torch.stack([torch.from_numpy(tokens[i + 1 : i + 1 + context_length].astype(np.int64)) for i in starts])
    return x.to(device), y.to(device)
