"""Uses the absolute value of the weight.

Idea: The sign of the weight is lost.
Where: only for negative entries of weight
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    gain = weight.abs()
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    return (h / torch.sqrt(h.square().mean(-1, keepdim=True) + eps) * gain).to(x.dtype)
