"""A right sampler: NumPy's default generator, and windows of one token more, split into inputs and targets."""
import numpy as np
import torch


def sample_batch(tokens, batch_size, context_length, device):
    array = np.asarray(tokens)
    if array.size <= context_length:
        raise ValueError("not enough tokens")
    starts = np.random.default_rng().integers(0, array.size - context_length, size=batch_size)
    windows = np.stack([array[s : s + context_length + 1] for s in starts]).astype(np.int64)
    batch = torch.from_numpy(windows)
    return batch[:, :-1].to(device), batch[:, 1:].to(device)
