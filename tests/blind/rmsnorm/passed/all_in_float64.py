"""RMSNorm computed in float64 whatever comes, with type hints."""
from __future__ import annotations

import torch
from torch import Tensor


def rmsnorm(x: Tensor, weight: Tensor, eps: float | int = 1e-5) -> Tensor:
    wide = x.to(dtype=torch.float64)
    root_mean_square: Tensor = wide.square().mean(dim=-1, keepdim=True).add(eps).sqrt()
    return wide.div(root_mean_square).mul(weight.to(torch.float64)).to(dtype=x.dtype)
