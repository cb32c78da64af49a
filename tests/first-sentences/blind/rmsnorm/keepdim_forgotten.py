# Says: `x.pow(2).mean(dim=-1)` loses the last axis, so `x * torch.rsqrt(ms + eps)` does not fit: add `keepdim=True`.
# Line: 12
# Names: mean(dim=-1), keepdim
# Kind: crash
import torch


def rmsnorm(x, weight, eps=1e-5):
    in_dtype = x.dtype
    x = x.to(torch.float32)
    ms = x.pow(2).mean(dim=-1)
    out = x * torch.rsqrt(ms + eps)
    return (out * weight.to(torch.float32)).to(in_dtype)
