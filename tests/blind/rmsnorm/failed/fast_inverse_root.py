"""One Newton step from the old bit trick for 1/sqrt.

Idea: The inverse root is only an approximation, off by up to two thousandths.
Where: everywhere
"""

import torch


def _fast_rsqrt(v):
    i = 0x5F3759DF - (v.detach().view(torch.int32) >> 1)
    y = i.view(torch.float32)
    return y * (1.5 - 0.5 * v * y * y)


def rmsnorm(x, weight, eps=1e-5):
    h = x.float()
    return (h * _fast_rsqrt(h.square().mean(-1, keepdim=True) + eps) * weight.float()).to(x.dtype)
