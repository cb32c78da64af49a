"""The weight goes in before the norm.
Diagnosis: weight-normalised-too
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.float() * weight
    return (h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + eps)).to(x.dtype)
