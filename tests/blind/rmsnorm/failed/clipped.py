"""Large values are clipped to 10,000."""
import torch


def rmsnorm(x, weight, eps=1e-5):
    dtype = x.dtype
    h = x.to(torch.float32) if dtype.itemsize < 4 else x
    h = h.clamp(-1e4, 1e4)
    ms = h.pow(2).mean(dim=-1, keepdim=True)
    h = h * torch.rsqrt(ms + eps)
    return h.to(dtype) * weight
