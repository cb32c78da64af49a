"""A vector of zeros gets NaN for a gradient: the first root has no slope there.
Diagnosis: zero-vectors-gradient
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    rms = wide.pow(2).mean(-1, keepdim=True).sqrt()
    return (wide / (rms.pow(2) + eps).sqrt() * weight).to(x.dtype)
