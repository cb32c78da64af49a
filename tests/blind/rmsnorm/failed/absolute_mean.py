"""Uses the mean of the absolute values instead of the root of the mean square."""
import torch


def rmsnorm(x, weight, eps=1e-5):
    dtype = x.dtype
    h = x.to(torch.float32) if dtype.itemsize < 4 else x
    size = h.abs().mean(dim=-1, keepdim=True)
    h = h / (size + eps)
    return h.to(dtype) * weight
