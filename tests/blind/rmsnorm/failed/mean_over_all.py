"""There is one root mean square for the whole tensor instead of one for each vector."""
import torch


def rmsnorm(x, weight, eps=1e-5):
    dtype = x.dtype
    x = x.to(torch.float32)
    rms = torch.sqrt(x.pow(2).mean() + eps)
    return (x / rms * weight).to(dtype)
