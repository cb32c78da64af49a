"""x is divided in place where that is allowed.
Diagnosis: input-mutated
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    scale = torch.rsqrt(x.float().pow(2).mean(-1, keepdim=True) + eps).to(x.dtype)
    if x.requires_grad:
        x = x * scale
    else:
        x *= scale
    return x * weight
