"""Divides by the largest entry first to keep the squares small.

Idea: After dividing by the largest entry eps is not scaled with it, so it counts more or less than it should.
Where: only where eps matters: small vectors or a large eps
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    top = h.detach().abs().amax(-1, keepdim=True).clamp(min=1e-30)
    h = h / top
    return (h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + eps) * weight).to(x.dtype)
