"""Divides the sum of squares by d_model - 1.

Idea: The sum of squares is divided by d_model - 1, as for an unbiased variance.
Where: everywhere
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    d = x.shape[-1]
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    ms = (h * h).sum(-1, keepdim=True) / max(d - 1, 1)
    return (h * (ms + eps).rsqrt() * weight).to(x.dtype)
