"""Accepts eps only as a float.

Idea: An eps that is a whole number is replaced by the default.
Where: only when eps is an int
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    if not isinstance(eps, float):
        eps = 1e-5
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    return (h / torch.sqrt(h.square().mean(-1, keepdim=True) + eps) * weight).to(x.dtype)
