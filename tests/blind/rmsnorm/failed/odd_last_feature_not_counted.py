"""RMSNorm that adds up squares two at a time.

Wrong: of an odd number of features, the last has no partner and is not counted in the mean.
When: d_model is odd and greater than one.
Spec: «The mean of the squares, not their sum» (the formula's sum runs from 1 to d_model)
"""
import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.float()
    d = h.shape[-1]
    if d == 1:
        total = h * h
    else:
        even = h[..., : d // 2 * 2]
        total = (even[..., 0::2] ** 2 + even[..., 1::2] ** 2).sum(-1, keepdim=True)
    return (h * torch.rsqrt(total / d + eps) * weight.float()).to(x.dtype)
