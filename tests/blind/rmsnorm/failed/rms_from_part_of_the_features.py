"""Estimates the root mean square from the first half of the features.

Idea: Only half of the features enter the root mean square.
Where: everywhere (except d_model = 1)
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    sample = h[..., : (h.shape[-1] + 1) // 2]
    return (h * torch.rsqrt(sample.pow(2).mean(-1, keepdim=True) + eps) * weight).to(x.dtype)
