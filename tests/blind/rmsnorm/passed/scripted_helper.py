"""The arithmetic is a torch.jit.script function."""

import torch
from torch import Tensor


@torch.jit.script
def _scale(x: Tensor, eps: float) -> Tensor:
    return torch.rsqrt(torch.mean(x * x, dim=-1, keepdim=True) + eps)


def rmsnorm(x: Tensor, weight: Tensor, eps: float = 1e-5) -> Tensor:
    x32 = x.float()
    return (x32 * _scale(x32, float(eps)) * weight.float()).to(x.dtype)
