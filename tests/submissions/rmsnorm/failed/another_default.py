"""The default of another model.
Diagnosis: eps-default
"""

import torch


def rmsnorm(x, weight, eps=1e-8):
    h = x.to(torch.float32)
    h = h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + eps)
    return (h * weight).to(x.dtype)
