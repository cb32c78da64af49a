"""Subtracts the mean first: this is LayerNorm without a bias."""
import torch
from torch import Tensor


def rmsnorm(x: Tensor, weight: Tensor, eps: float = 1e-5) -> Tensor:
    h = x.float()
    mean = h.mean(-1, keepdim=True)
    var = ((h - mean) ** 2).mean(-1, keepdim=True)
    h = (h - mean) * torch.rsqrt(var + eps)
    return weight * h.to(x.dtype)
