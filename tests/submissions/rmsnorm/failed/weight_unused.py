"""The weight is never met.
Diagnosis: weight-missing
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.float()
    return (h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + eps)).to(x.dtype)
