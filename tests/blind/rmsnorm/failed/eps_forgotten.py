"""Leaves eps out.

Idea: eps is an argument that is never used.
Where: only when the vectors are small, or eps is large
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    return (h * h.pow(2).mean(-1, keepdim=True).rsqrt() * weight).to(x.dtype)
