"""Adds eps to the sum before it is divided.

Idea: eps is added to the sum of squares, so the mean makes it d_model times too small.
Where: only when the vectors are small, or eps is large
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    d = x.shape[-1]
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    total = torch.linalg.vector_norm(h, dim=-1, keepdim=True) ** 2 + eps
    return (h / torch.sqrt(total / d) * weight).to(x.dtype)
