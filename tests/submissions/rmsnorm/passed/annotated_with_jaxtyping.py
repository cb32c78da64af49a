"""Annotated shapes, keyword arguments and a rsqrt."""

import torch
from jaxtyping import Float
from torch import Tensor


def rmsnorm(
    x: Float[Tensor, "... d_model"], weight: Float[Tensor, "d_model"], eps: float = 1e-5
) -> Float[Tensor, "... d_model"]:
    in_type = x.dtype
    x = x.to(torch.float32)
    inverse = torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps)
    return (weight * (x * inverse)).to(in_type)
