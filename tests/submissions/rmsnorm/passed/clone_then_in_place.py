"""In-place work on a copy is nobody's loss."""

import torch


def rmsnorm(x, weight, eps=1e-5):
    out = x.float().clone()
    out = out * (out.pow(2).mean(-1, keepdim=True) + eps).rsqrt()
    out *= weight
    return out.to(x.dtype)
