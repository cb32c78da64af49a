"""Softmax as exp(x - log sum exp x), everything in float32 or better."""
from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor

_WORK = {torch.float16: torch.float32, torch.bfloat16: torch.float32}


def log_sum_exp(x: Float[Tensor, "..."], dim: int) -> Float[Tensor, "..."]:
    m = x.amax(dim, keepdim=True).detach()
    return m, (x - m).exp().sum(dim, keepdim=True).log()


def softmax(x: Float[Tensor, "..."], dim: int) -> Float[Tensor, "..."]:
    """Shares along dim."""
    z = x.to(_WORK.get(x.dtype, x.dtype))
    m, lse = log_sum_exp(z, dim)
    return ((z - m) - lse).exp().to(x.dtype)


if __name__ == "__main__":
    print(softmax(torch.tensor([0.0, 1.0986]), 0))
