"""RMSNorm that clamps.

Idea: eps is a lower bound for the mean square instead of being added to it.
Where: only for small vectors or a large eps
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    wide = x.double()
    ms = wide.square().mean(dim=-1, keepdim=True).clamp(min=eps)
    return (wide / ms.sqrt() * weight.double()).to(x.dtype)
