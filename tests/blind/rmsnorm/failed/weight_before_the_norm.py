"""Weighs the features first and normalises what comes out.

Idea: The root mean square is taken of the weighted vector and not of x.
Where: everywhere
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    t = torch.promote_types(x.dtype, torch.float32)
    weighted = x.to(t) * weight.to(t)
    return (weighted / ((weighted ** 2).mean(-1, True) + eps) ** 0.5).to(x.dtype)
