"""RMSNorm through hypot: sqrt(a^2 + eps) is the hypotenuse over a and sqrt(eps)."""

import math

import torch


def rmsnorm(x, weight, eps=1e-5):
    xf = x.to(torch.float64)  # more than enough for every dtype
    short_side = torch.norm(xf, p=2, dim=-1, keepdim=True) / math.sqrt(xf.size(-1))
    hypotenuse = torch.hypot(short_side, torch.full_like(short_side, math.sqrt(eps)))
    return xf.div(hypotenuse).mul(weight).type_as(x)
