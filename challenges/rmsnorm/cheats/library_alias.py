"""The library's function under a name of one's own, row by row."""

import torch

norm = torch.rms_norm


def rmsnorm(x, weight, eps=1e-5):
    rows = torch.stack([norm(row, row.shape, None, eps) for row in x.float().reshape(-1, x.shape[-1])])
    return (rows.reshape(x.shape) * weight).to(x.dtype)
