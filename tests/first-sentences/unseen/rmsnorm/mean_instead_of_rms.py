# Says: You subtract the mean and take the variance, which is LayerNorm: RMSNorm takes `x.pow(2).mean(-1, keepdim=True)` of `x` as it is, without `x.mean`.
# Line: 11
# Names: mean, LayerNorm
# Kind: wrong idea
import torch


def rmsnorm(x, weight, eps=1e-5):
    dtype = x.dtype
    x = x.float()
    x = x - x.mean(dim=-1, keepdim=True)
    rms = torch.sqrt(x.pow(2).mean(dim=-1, keepdim=True) + eps)
    return (x / rms).to(dtype) * weight
