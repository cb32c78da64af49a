"""Divides by the largest absolute value.

Idea: The maximum norm is taken for the root mean square.
Where: everywhere (except d_model = 1)
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    biggest = h.abs().amax(dim=-1, keepdim=True)
    return (h / (biggest ** 2 + eps).sqrt() * weight).to(x.dtype)
