"""Divides by the mean of the absolute values.

Idea: The mean of the absolute values is taken for the root of the mean square.
Where: everywhere (except d_model = 1)
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    magnitude = torch.mean(torch.sqrt(h ** 2 + eps), dim=-1, keepdim=True)
    return (h / magnitude * weight).to(x.dtype)
