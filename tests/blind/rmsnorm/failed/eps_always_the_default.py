"""Uses the constant 1e-5 and not the argument.

Idea: The caller's eps is ignored: 1e-5 is always used.
Where: only when the caller gives another eps than 1e-5
"""

import torch

EPS = 1e-5


def rmsnorm(x, weight, eps=EPS):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    return (h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + EPS) * weight).to(x.dtype)
