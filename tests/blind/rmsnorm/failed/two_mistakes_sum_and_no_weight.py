"""Divides by the length, and does not weigh.

Idea: The sum of squares is not divided by d_model, and the weight is forgotten.
Where: everywhere
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    return (h / torch.sqrt(h.pow(2).sum(-1, keepdim=True) + eps)).to(x.dtype)
