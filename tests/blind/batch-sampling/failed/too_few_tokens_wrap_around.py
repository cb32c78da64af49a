"""Wrong: tokens that are too few for a window do not raise ValueError; the window wraps around to the first tokens instead."""
import numpy as np
import torch


def sample_batch(tokens, batch_size, context_length, device):
    tokens = torch.as_tensor(np.asarray(tokens).astype(np.int64))
    n = len(tokens)
    starts = torch.randint(max(1, n - context_length), (batch_size, 1))
    index = (starts + torch.arange(context_length + 1)) % n
    rows = tokens[index]
    return rows[:, :-1].to(device), rows[:, 1:].to(device)
