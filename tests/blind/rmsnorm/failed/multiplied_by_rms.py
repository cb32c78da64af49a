"""Multiplies by the root mean square.

Idea: The vector is multiplied by its root mean square, where it should be divided by it.
Where: everywhere
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    up = x.to(torch.promote_types(x.dtype, torch.float32))
    scale = torch.sqrt(up.pow(2).mean(-1, keepdim=True) + eps)
    return (up * scale * weight).to(x.dtype)
