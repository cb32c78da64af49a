"""Builds the norm once and keeps it.

Idea: The eps of the first call is kept for all later calls.
Where: only from the second call on, when eps is another one
Id: stale-cache
"""

import torch

_layer = None


class _Layer:
    def __init__(self, eps):
        self.eps = eps

    def __call__(self, x, weight):
        h = x.to(torch.promote_types(x.dtype, torch.float32))
        return (h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + self.eps) * weight).to(x.dtype)


def rmsnorm(x, weight, eps=1e-5):
    global _layer
    if _layer is None:
        _layer = _Layer(eps)
    return _layer(x, weight)
