"""eps is added to the sum of the squares before it is divided by d_model, so only eps/d_model counts."""
import torch


def rmsnorm(x, weight, eps=1e-5):
    dtype = x.dtype
    h = x.to(torch.float32) if dtype.itemsize < 4 else x
    total = h.pow(2).sum(dim=-1, keepdim=True) + eps
    h = h * torch.rsqrt(total / h.shape[-1])
    return h.to(dtype) * weight
