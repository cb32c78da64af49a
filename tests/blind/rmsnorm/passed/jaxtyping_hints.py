"""Shapes are written down with jaxtyping."""

import torch
from jaxtyping import Float
from torch import Tensor


def mean_square(x: Float[Tensor, "... d_model"]) -> Float[Tensor, "... 1"]:
    return torch.mean(x * x, dim=-1, keepdim=True)


def rmsnorm(
    x: Float[Tensor, "... d_model"],
    weight: Float[Tensor, " d_model"],
    eps: float = 1e-5,
) -> Float[Tensor, "... d_model"]:
    dtype = torch.float64 if x.dtype == torch.float64 else torch.float32
    wide = x.to(dtype)
    normalised = wide * torch.rsqrt(mean_square(wide) + eps)
    return (normalised * weight.to(dtype)).to(x.dtype)
