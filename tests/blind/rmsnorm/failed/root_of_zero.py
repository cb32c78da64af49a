"""The root is taken before eps is added, so the gradient of a zero vector is NaN."""
import torch


def rmsnorm(x, weight, eps=1e-5):
    dtype = x.dtype
    h = x.to(torch.float32) if dtype.itemsize < 4 else x
    rms = h.pow(2).mean(dim=-1, keepdim=True).sqrt()
    h = h / (rms * rms + eps).sqrt()
    return h.to(dtype) * weight
