"""Keeps the weight in a sane range, in place.

Idea: The weight of the caller is clamped to between -1 and 1 in place.
Where: only when an entry of weight is larger than 1 in absolute value: wrong values and a changed weight
Id: input-mutated
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    with torch.no_grad():
        weight.data.clamp_(-1.0, 1.0)
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    return (h / torch.sqrt(h.square().mean(-1, keepdim=True) + eps) * weight).to(x.dtype)
