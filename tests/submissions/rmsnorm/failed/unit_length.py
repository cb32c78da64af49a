"""Normalised to length one.
Diagnosis: sum-not-mean
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.float()
    length = torch.sqrt(torch.sum(h * h, dim=-1, keepdim=True) + eps)
    return (h / length * weight).to(x.dtype)
