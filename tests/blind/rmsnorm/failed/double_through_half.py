"""Goes through float16 when x is float64.

Idea: float64 inputs are rounded to float16 on the way.
Where: only for float64
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    source = x
    if x.dtype == torch.float64:
        x = x.half()
    h = x.float()
    y = h * torch.rsqrt(h.square().mean(-1, keepdim=True) + eps) * weight.float()
    return y.to(source.dtype)
