"""The module's own constant wins.
Diagnosis: eps-hard-coded
"""

import torch


EPS = 1e-6


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.float32)
    h = h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + EPS)
    return (h * weight).to(x.dtype)
