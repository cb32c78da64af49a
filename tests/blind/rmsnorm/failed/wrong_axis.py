"""The mean is taken along the first axis instead of the last."""
import torch


def rmsnorm(x, weight, eps=1e-5):
    dtype = x.dtype
    x = x.to(torch.float32)
    rms = torch.sqrt(x.pow(2).mean(dim=0, keepdim=True) + eps)
    return (x / rms * weight).to(dtype)
