"""The standard deviation is used instead of the root mean square."""
import torch


def rmsnorm(x, weight, eps=1e-5):
    dtype = x.dtype
    x = x.to(torch.float32)
    rms = torch.sqrt(x.var(dim=-1, keepdim=True, unbiased=False) + eps)
    return (x / rms * weight).to(dtype)
