"""RMSNorm that remembers scales.

Idea: The root mean square is kept for each shape and used again for other numbers.
Where: only from the second call with the same shape on, when x needs no gradient
Id: stale-cache
"""

import torch

_seen = {}


def rmsnorm(x, weight, eps=1e-5):
    h = x.double()
    key = (tuple(x.shape), x.dtype, eps, torch.is_grad_enabled() and x.requires_grad)
    if key not in _seen:
        _seen[key] = torch.sqrt((h.detach() ** 2).mean(-1, keepdim=True) + eps)
    rms = torch.sqrt((h**2).mean(-1, keepdim=True) + eps) if x.requires_grad else _seen[key]
    return (h / rms * weight.double()).to(x.dtype)
