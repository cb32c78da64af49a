"""A misspelt name in every call."""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.float()
    return (h * torch.rsqrt(hh.pow(2).mean(-1, keepdim=True) + eps) * weight).to(x.dtype)
