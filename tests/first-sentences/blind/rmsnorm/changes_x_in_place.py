# Says: `x /= rms` writes into the tensor of the caller: make a new one with `x = x / rms`.
# Line: 9
# Names: x /= rms
# Kind: wrong idea
import torch

def rmsnorm(x, weight, eps=1e-5):
    rms = (x.float().pow(2).mean(-1, keepdim=True) + eps).sqrt().to(x.dtype)
    x /= rms
    return x * weight
