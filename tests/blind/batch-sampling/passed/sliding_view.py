import random

import numpy as np
import torch
from numpy.lib.stride_tricks import sliding_window_view


def sample_batch(tokens, batch_size, context_length, device="cpu"):
    data = np.asarray(tokens)
    try:
        windows = sliding_window_view(data, context_length + 1)
    except ValueError as e:
        raise ValueError("text too short") from e
    rows = [random.randrange(len(windows)) for _ in range(batch_size)]
    batch = torch.tensor(windows[rows].astype("int64"))
    x, y = batch[:, :context_length].contiguous(), batch[:, 1:].contiguous()
    return x.to(device), y.to(device)
