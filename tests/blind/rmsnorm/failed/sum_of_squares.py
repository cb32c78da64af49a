"""Divides by the root of the sum of squares.

Idea: The squares are added up and never divided by d_model, so it is the length of the vector and not its root mean square.
Where: everywhere (except d_model = 1)
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    rms = torch.sqrt(h.pow(2).sum(dim=-1, keepdim=True) + eps)
    return (h / rms * weight).to(x.dtype)
