# Says: `x.pow(2).mean(-1)` drops the last axis, so the division `x / rms` no longer broadcasts: add `keepdim=True`.
# Line: 10
# Names: keepdim, mean
# Kind: crash
import torch

def rmsnorm(x, weight, eps=1e-5):
    in_dtype = x.dtype
    x = x.to(torch.float32)
    rms = (x.pow(2).mean(-1) + eps).sqrt()
    result = x / rms * weight
    return result.to(in_dtype)
