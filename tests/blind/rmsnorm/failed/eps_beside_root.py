"""eps is added after the square root instead of under it."""
import torch


def rmsnorm(x, weight, eps=1e-5):
    dtype = x.dtype
    x = x.to(torch.float32) if dtype != torch.float64 else x
    rms = x.pow(2).mean(dim=-1, keepdim=True).sqrt()
    normed = x / (rms + eps)
    return (normed * weight.to(x.dtype)).to(dtype)
