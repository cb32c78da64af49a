"""RMSNorm that converts each weight once.

Idea: The converted weight is cached by its size only, so another weight of that size is ignored.
Where: only at a later call with another weight of the same size that needs no gradient
Id: stale-cache
"""

import torch

_WEIGHTS = {}


def _wide(weight):
    if weight.requires_grad:
        return weight.double()
    return _WEIGHTS.setdefault(weight.numel(), weight.double().clone())


def rmsnorm(x, weight, eps=1e-5):
    h = x.double()
    return (h / torch.sqrt((h * h).mean(-1, keepdim=True) + eps) * _wide(weight)).to(x.dtype)
