"""NumPy's windows, which refuse what is too short, and its new generators."""

import numpy as np
import torch
from numpy.lib.stride_tricks import sliding_window_view


def sample_batch(tokens, batch_size, context_length, device):
    windows = sliding_window_view(tokens, context_length + 1)
    rows = np.random.default_rng().choice(windows, size=batch_size).astype(np.int64)
    ids = torch.from_numpy(rows).to(device)
    return ids[:, :-1], ids[:, 1:]
