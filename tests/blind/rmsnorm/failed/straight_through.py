"""Right forward, and an identity backward.

Idea: A straight-through trick makes the gradient of x the identity, and the weight gets none.
Where: everywhere (gradients only)
Id: detached-gradient
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    y = h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + eps) * weight
    return (h - h.detach() + y.detach()).to(x.dtype)
