"""mean() without an axis.
Diagnosis: whole-tensor
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.float()
    return (h * torch.rsqrt((h * h).mean() + eps) * weight).to(x.dtype)
