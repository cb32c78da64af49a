"""RMSNorm step by step, as a beginner writes it."""

import torch


def rmsnorm(x, weight, eps=1e-5):
    dtype = x.dtype
    if dtype in (torch.float16, torch.bfloat16):
        xx = x.float()
    else:
        xx = x
    # first square everything, then take the mean over the features
    squares = xx * xx
    mean = squares.sum(dim=-1, keepdim=True) / x.shape[-1]
    root = torch.sqrt(mean + eps)
    result = xx / root
    result = result * weight.to(xx.dtype)
    return result.to(dtype)
