"""The function has another name (rms_norm)."""
import torch


def rms_norm(x, weight, eps=1e-5):
    dtype = x.dtype
    h = x.to(torch.float32) if dtype.itemsize < 4 else x
    ms = h.pow(2).mean(dim=-1, keepdim=True)
    h = h * torch.rsqrt(ms + eps)
    return h.to(dtype) * weight
