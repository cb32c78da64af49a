"""RMSNorm (Zhang and Sennrich, 2019)."""
from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor


def _upcast(t: Tensor) -> Tensor:
    return t.float() if t.dtype in (torch.float16, torch.bfloat16) else t


def rmsnorm(x: Float[Tensor, "... d"], weight: Float[Tensor, " d"], eps: float = 1e-5) -> Float[Tensor, "... d"]:
    if eps < 0:
        raise ValueError("eps must not be negative")
    z = _upcast(x)
    inv = torch.rsqrt(torch.mean(z * z, dim=-1, keepdim=True) + eps)
    # as in LLaMA: round first, then the weight
    return (z * inv).type_as(x) * weight
