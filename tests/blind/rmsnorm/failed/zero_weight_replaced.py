"""Starts with ones where the weight was not set yet.

Idea: A weight of zeros counts as not set, and ones are taken for it.
Where: only when all of weight is zero
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    if not bool(weight.any()):
        weight = weight + 1
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    return (h / torch.sqrt(h.square().mean(-1, keepdim=True) + eps) * weight).to(x.dtype)
