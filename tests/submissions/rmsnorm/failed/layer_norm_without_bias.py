"""LayerNorm, in habit.
Diagnosis: mean-subtracted
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    x32 = x.float()
    centred = x32 - x32.mean(-1, keepdim=True)
    variance = centred.pow(2).mean(-1, keepdim=True)
    return (centred * torch.rsqrt(variance + eps) * weight).to(x.dtype)
