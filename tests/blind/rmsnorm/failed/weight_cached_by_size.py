"""Keeps the float32 copy of the weight for each d_model.

Idea: The widened weight is cached by its size and dtype, so another weight of that size is ignored.
Where: only from the second call on, with another weight of the same size and dtype, when no gradient is asked of it
Id: stale-cache
"""

import torch

_wide = {}


def rmsnorm(x, weight, eps=1e-5):
    dtype = torch.promote_types(x.dtype, torch.float32)
    if weight.requires_grad:
        w = weight.to(dtype)
    else:
        w = _wide.setdefault((weight.shape[0], weight.dtype), weight.detach().to(dtype, copy=True))
    h = x.to(dtype)
    return (h / torch.sqrt(h.square().mean(-1, keepdim=True) + eps) * w).to(x.dtype)
