"""A right sampler: NumPy's sliding windows, with places from floats that are scaled and cut."""
import numpy as np
import torch
from numpy.lib.stride_tricks import sliding_window_view


def sample_batch(tokens, batch_size, context_length, device):
    source = tokens.numpy() if isinstance(tokens, torch.Tensor) else tokens
    count = source.shape[0] - context_length
    if count <= 0:
        raise ValueError(f"context_length is {context_length}, and there are only {source.shape[0]} tokens")
    where = (torch.rand(batch_size, dtype=torch.float64) * count).floor().long().clamp_(max=count - 1).numpy()
    pairs = []
    for shifted in (source[:-1], source[1:]):
        rows = sliding_window_view(shifted, context_length)[where]
        pairs.append(torch.as_tensor(rows.astype(np.int64)).to(device))
    return tuple(pairs)
