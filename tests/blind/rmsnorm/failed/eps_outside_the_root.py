"""Adds eps after the root.

Idea: eps is added to the root and not under it.
Where: only when the vectors are small, or eps is large
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    rms = torch.sqrt(h.square().mean(-1, keepdim=True))
    return (h / (rms + eps) * weight).to(x.dtype)
