"""Treats the root mean square as a constant.

Idea: The root mean square is detached, so the gradient of x lacks the part that goes through it.
Where: only the gradient of x
Id: detached-gradient
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    with torch.no_grad():
        inv = torch.rsqrt(h.square().mean(-1, keepdim=True) + eps)
    return (h * inv * weight).to(x.dtype)
