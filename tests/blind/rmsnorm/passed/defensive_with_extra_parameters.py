"""RMSNorm that checks what the spec rules out, with two more parameters."""
import torch
from torch import Tensor

__all__ = ["rmsnorm"]


def rmsnorm(x: Tensor, weight: Tensor, eps: float = 1e-5, accumulate: torch.dtype = torch.float32, *, offset: float = 0.0) -> Tensor:
    if not x.is_floating_point():
        raise TypeError("x must hold floating point numbers")
    if weight.ndim != 1 or weight.shape[0] != x.shape[-1]:
        raise ValueError(f"weight {tuple(weight.shape)} does not fit x {tuple(x.shape)}")
    if eps < 0:
        raise ValueError("eps must not be negative")
    wide = x.to(torch.promote_types(x.dtype, accumulate))
    power = wide.pow(2).sum(-1, keepdim=True) / x.shape[-1]
    result = wide * (power + eps).rsqrt() * (weight.to(wide.dtype) + offset)
    assert result.shape == x.shape
    return result.to(x.dtype)
