"""lru_cache knows a tensor by its identity, so new values in the same tensor get the old root mean square."""

from functools import lru_cache

import torch


@lru_cache(maxsize=64)
def inverse_rms(x, eps):
    return torch.rsqrt(x.detach().float().pow(2).mean(-1, keepdim=True) + eps)


def rmsnorm(x, weight, eps=1e-5):
    if x.requires_grad:
        inv = torch.rsqrt(x.float().pow(2).mean(-1, keepdim=True) + eps)
    else:
        inv = inverse_rms(x, eps)
    return (x.float() * inv * weight).to(x.dtype)
