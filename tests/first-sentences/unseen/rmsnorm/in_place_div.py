# Says: `x /= rms` overwrites the caller's `x`: write `x = x / rms` so that a new tensor is made.
# Line: 10
# Names: x /= rms
# Kind: wrong idea
import torch


def rmsnorm(x, weight, eps=1e-5):
    rms = torch.sqrt(x.float().pow(2).mean(dim=-1, keepdim=True) + eps)
    x /= rms
    return (x * weight).to(weight.dtype)
