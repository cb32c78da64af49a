"""A right answer of the seventh corpus."""
import math

import torch


def rmsnorm(x: torch.Tensor, weight: torch.Tensor, eps: float = 1e-5) -> torch.Tensor:
    d_model = x.size(-1)
    # dtype= does the accumulation in float32 without materialising a copy first
    wide = torch.float64 if x.dtype is torch.float64 else torch.float32
    length = torch.linalg.vector_norm(x, ord=2, dim=-1, keepdim=True, dtype=wide)
    rms = torch.sqrt(length * length / d_model + eps)
    y = x.to(wide) / rms
    return (y * weight.to(wide)).to(x.dtype)
