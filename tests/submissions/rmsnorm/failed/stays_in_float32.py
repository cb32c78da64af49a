"""Widened, and never brought back.
Diagnosis: dtype-not-kept
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    return h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + eps) * weight
