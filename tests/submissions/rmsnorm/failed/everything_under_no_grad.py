"""A decorator that belongs to evaluation.
Diagnosis: detached-gradient
"""

import torch


@torch.no_grad()
def rmsnorm(x, weight, eps=1e-5):
    h = x.float()
    return (h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + eps) * weight).to(x.dtype)
