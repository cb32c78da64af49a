"""Averages over axis 0, so each feature gets its own root mean square."""

import torch


def rmsnorm(x, weight, eps=1e-5):
    dtype = x.dtype
    x = x.to(torch.float32)
    rms = torch.sqrt(x.pow(2).mean(dim=0, keepdim=True) + eps)
    result = x / rms * weight
    return result.to(dtype)
