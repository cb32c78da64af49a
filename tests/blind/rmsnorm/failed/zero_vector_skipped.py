"""Gives zero vectors the weight, to keep something flowing.

Idea: A zero vector comes back as the weight where it must stay zero.
Where: only when a vector is zero
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    y = h / torch.sqrt(h.square().mean(-1, keepdim=True) + eps)
    dead = (h == 0).all(dim=-1, keepdim=True)
    return (torch.where(dead, torch.ones_like(y), y) * weight).to(x.dtype)
