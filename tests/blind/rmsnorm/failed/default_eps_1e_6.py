"""RMSNorm with LLaMA's default.

Idea: The default of eps is 1e-6 instead of 1e-5.
Where: only when eps is left out and vectors are small
"""

import torch


def rmsnorm(x, weight, eps=1e-6):
    wide = x.double()
    rms = torch.sqrt(torch.mean(wide**2, dim=-1, keepdim=True) + eps)
    return ((wide / rms) * weight.double()).to(x.dtype)
