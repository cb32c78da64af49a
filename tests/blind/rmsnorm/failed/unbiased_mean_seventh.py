"""Divides by d_model - 1 instead of d_model."""
import torch


def rmsnorm(x, weight, eps=1e-5):
    dtype = x.dtype
    h = x.to(torch.float32) if dtype.itemsize < 4 else x
    ms = h.pow(2).sum(dim=-1, keepdim=True) / (h.shape[-1] - 1)
    h = h * torch.rsqrt(ms + eps)
    return h.to(dtype) * weight
