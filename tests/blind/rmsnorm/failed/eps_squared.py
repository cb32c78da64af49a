"""Adds the square of eps under the root.

Idea: eps is squared before it goes under the root.
Where: only when the vectors are small, or eps is large
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.double()
    rms = torch.sqrt((h ** 2).mean(dim=-1, keepdim=True) + eps ** 2)
    return (h / rms * weight).to(x.dtype)
