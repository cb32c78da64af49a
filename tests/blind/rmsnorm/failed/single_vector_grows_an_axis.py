"""Adds a batch axis to a single vector and leaves it there.

Idea: A single vector comes back with shape (1, d_model).
Where: only without leading axes
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    if x.dim() == 1:
        x = x.unsqueeze(0)
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    return (h / torch.sqrt(h.square().mean(-1, keepdim=True) + eps) * weight).to(x.dtype)
