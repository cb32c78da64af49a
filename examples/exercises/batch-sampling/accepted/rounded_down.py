"""Places from uniform numbers, rounded down."""

import numpy as np
import torch


def sample_batch(data, rows, length, where):
    free = len(data) - length
    if free < 1:
        raise ValueError("data too short")
    begin = (torch.rand(rows, dtype=torch.float64) * free).long()
    wide = torch.tensor(np.asarray(data).astype(np.int64))
    columns = [wide[begin + step] for step in range(length + 1)]
    return torch.stack(columns[:-1], dim=1).to(where), torch.stack(columns[1:], dim=1).to(where)
