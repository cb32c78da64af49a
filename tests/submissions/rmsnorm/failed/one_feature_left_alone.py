"""A vector of one feature is weighed, not normalised.
Diagnosis: not-normalised
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    if len(weight) < 2:
        return x * weight
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    return (wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + eps) * weight).to(x.dtype)
