"""Turns the weight round before it is multiplied in.

Idea: The weights go to the features in reverse order.
Where: everywhere (except d_model = 1)
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32)).movedim(-1, 0)
    rms = torch.sqrt(h.square().mean(dim=0) + eps)
    return ((h / rms).movedim(0, -1) * weight.flip(0)).to(x.dtype)
