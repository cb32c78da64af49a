"""Remembers the last result for the same two tensors.

Idea: The last result comes back when the same tensor objects arrive, although their values were changed in between.
Where: only when x or weight was changed in place between two calls, and no gradient is asked for
Id: stale-cache
"""

import torch

_last = (None, None, None, None)


def rmsnorm(x, weight, eps=1e-5):
    global _last
    if _last[0] is x and _last[1] is weight and _last[2] == eps:
        return _last[3]
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    y = (h / torch.sqrt(h.square().mean(-1, keepdim=True) + eps) * weight).to(x.dtype)
    if not y.requires_grad:
        _last = (x, weight, eps, y)
    return y
