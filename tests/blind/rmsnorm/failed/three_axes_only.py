"""RMSNorm over axis 2.

Idea: The axis is written as 2 instead of -1: right for (batch, seq, d_model) only.
Where: only when x has other than three axes
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    axis = min(2, x.dim() - 1)
    h = x.double()
    ms = torch.mean(h**2, dim=axis, keepdim=True)
    return (h / torch.sqrt(ms + eps) * weight.double()).to(x.dtype)
