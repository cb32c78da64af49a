"""Computes in the dtype of x, so float16 overflows."""

import torch


def rmsnorm(x, weight, eps=1e-5):
    rms = torch.sqrt(x.pow(2).mean(dim=-1, keepdim=True) + eps)
    result = x / rms * weight
    return result
