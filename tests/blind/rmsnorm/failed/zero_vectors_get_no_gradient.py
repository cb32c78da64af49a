"""RMSNorm that skips vectors of zeros.

Wrong: where a vector is zero, the result is a constant and the gradient of x is zero; the formula's is weight / sqrt(eps).
When: a vector of zeros, with eps > 0.
Spec: «Where a vector is zero they are as finite as the formula's.» and «Values and gradients against a float64 reference»
"""
import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.float()
    empty = (h == 0).all(dim=-1, keepdim=True)
    y = h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + eps) * weight.float()
    return torch.where(empty, torch.zeros_like(y), y).to(x.dtype)
