"""std for rms.
Diagnosis: std-not-rms
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.float()
    return (h / (h.std(dim=-1, keepdim=True) + eps) * weight).to(x.dtype)
