"""An integer eps is refused with a TypeError."""
import torch


def rmsnorm(x, weight, eps=1e-5):
    if not isinstance(eps, float):
        raise TypeError("eps must be a float")
    dtype = x.dtype
    h = x.to(torch.float32) if dtype.itemsize < 4 else x
    ms = h.pow(2).mean(dim=-1, keepdim=True)
    h = h * torch.rsqrt(ms + eps)
    return h.to(dtype) * weight
