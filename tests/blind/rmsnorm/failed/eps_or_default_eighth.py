"""eps = 0 is taken for 'not given' and replaced by 1e-5."""
import torch


def rmsnorm(x, weight, eps=1e-5):
    eps = eps or 1e-5
    dtype = x.dtype
    x = x.to(torch.float32)
    rms = torch.sqrt(x.pow(2).mean(dim=-1, keepdim=True) + eps)
    return (x / rms * weight).to(dtype)
