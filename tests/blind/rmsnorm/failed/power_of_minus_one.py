"""Divides by the mean square instead of its root."""
import torch


def rmsnorm(x, weight, eps=1e-5):
    dtype = x.dtype
    h = x.to(torch.float32) if dtype.itemsize < 4 else x
    ms = h.pow(2).mean(dim=-1, keepdim=True)
    h = h * torch.reciprocal(ms + eps)
    return h.to(dtype) * weight
