""""eps or 1e-5" turns an eps of 0 into the default."""

import torch


def rmsnorm(x, weight, eps=1e-5):
    eps = eps or 1e-5
    dtype = x.dtype
    x = x.to(torch.float32)
    rms = torch.sqrt(x.pow(2).mean(dim=-1, keepdim=True) + eps)
    result = x / rms * weight
    return result.to(dtype)
