# Says: `ms = x.pow(2).sum(dim=-1, keepdim=True)` takes the sum of the squares, where the formula has their mean.
# Line: 11
# Names: sum, mean
# Kind: wrong idea
import torch


def rmsnorm(x, weight, eps=1e-5):
    in_dtype = x.dtype
    x = x.to(torch.float32)
    ms = x.pow(2).sum(dim=-1, keepdim=True)
    out = x * torch.rsqrt(ms + eps)
    return (out * weight.to(torch.float32)).to(in_dtype)
