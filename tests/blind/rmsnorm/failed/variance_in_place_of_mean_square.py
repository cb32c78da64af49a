"""Divides by the root of the variance, without centering the numerator.

Idea: The variance around the mean is used where the mean of the squares is meant.
Where: everywhere
"""

import torch


def rmsnorm(x: torch.Tensor, weight: torch.Tensor, eps: float = 1e-5) -> torch.Tensor:
    up = x.to(torch.promote_types(x.dtype, torch.float32))
    scale = torch.rsqrt(torch.var(up, dim=-1, keepdim=True, correction=0) + eps)
    return (up * scale * weight).to(x.dtype)
