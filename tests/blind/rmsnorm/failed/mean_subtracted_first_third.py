"""RMSNorm of the centred vector.

Wrong: the mean is taken off before the squares are averaged.
Condition: every input whose vectors do not have mean zero.
Spec: "No mean is taken off, and there is no bias."
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    h = h - h.mean(dim=-1, keepdim=True)
    h = h * torch.rsqrt(h.pow(2).mean(dim=-1, keepdim=True) + eps)
    return (h * weight.to(h.dtype)).to(x.dtype)
