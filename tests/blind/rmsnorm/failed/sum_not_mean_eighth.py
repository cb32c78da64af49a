"""The sum of the squares is used instead of their mean."""
import torch


def rmsnorm(x, weight, eps=1e-5):
    dtype = x.dtype
    x = x.to(torch.float32)
    rms = torch.sqrt(x.pow(2).sum(dim=-1, keepdim=True) + eps)
    return (x / rms * weight).to(dtype)
