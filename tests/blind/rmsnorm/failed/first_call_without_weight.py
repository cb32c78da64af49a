"""Warms up with ones at the first call.

Idea: The first call uses ones and not the caller's weight.
Where: only at the first call
"""

import torch

_calls = 0


def rmsnorm(x, weight, eps=1e-5):
    global _calls
    _calls += 1
    gain = weight if _calls > 1 else torch.ones_like(weight)
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    return (h / torch.sqrt(h.square().mean(-1, keepdim=True) + eps) * gain).to(x.dtype)
