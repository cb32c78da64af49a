"""Leaves vectors of one feature as they are.

Idea: A vector of one feature is only weighed and not normalised.
Where: only when d_model is 1
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    if x.shape[-1] == 1:
        return x * weight
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    return (h / torch.sqrt(h.square().mean(-1, keepdim=True) + eps) * weight).to(x.dtype)
