"""A guard returns zeros for zero vectors, and with them a gradient of zero instead of weight / sqrt(eps)."""

import torch


def rmsnorm(x, weight, eps=1e-5):
    dtype = x.dtype
    x = x.to(torch.float32)
    rms = torch.sqrt(x.pow(2).mean(dim=-1, keepdim=True) + eps)
    result = torch.where(x.abs().sum(-1, keepdim=True) == 0, torch.zeros_like(x), x / rms * weight)
    return result.to(dtype)
