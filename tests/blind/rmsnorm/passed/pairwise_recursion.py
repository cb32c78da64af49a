"""Adds up the squares recursively, by halves of the feature axis."""

import torch


def sum_of_squares(x):
    """(..., d) -> (..., 1)"""
    d = x.shape[-1]
    if d == 1:
        return x * x
    return sum_of_squares(x[..., : d // 2]) + sum_of_squares(x[..., d // 2 :])


def rmsnorm(x, weight, eps=1e-5):
    dtype = torch.float64 if x.dtype == torch.float64 else torch.float32
    wide = x.to(dtype)
    rms = (sum_of_squares(wide) / x.shape[-1] + eps) ** 0.5
    return wide.div(rms).mul(weight.to(dtype)).to(x.dtype)
