"""Averaged over the sequence.
Diagnosis: wrong-axis
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.float()
    h = h / torch.sqrt(torch.mean(h**2, dim=-2, keepdim=True) + eps)
    return (h * weight).to(x.dtype)
