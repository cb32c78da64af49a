"""Gives the weight the axis that fits, rows first.

Idea: When there are as many tokens as features, the weights go to the tokens.
Where: only when the last two axes have the same size
"""

import torch


def _fit(weight, x):
    if x.dim() > 1 and x.shape[-2] == weight.numel() != 1:
        return weight.unsqueeze(-1)
    return weight


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    return (h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + eps) * _fit(weight, x)).to(x.dtype)
