"""keepdim is missing, so the root mean squares line up with the features."""
import torch


def rmsnorm(x, weight, eps=1e-5):
    dtype = x.dtype
    h = x.to(torch.float32) if dtype.itemsize < 4 else x
    ms = h.pow(2).mean(dim=-1)
    h = h * torch.rsqrt(ms + eps)
    return h.to(dtype) * weight
