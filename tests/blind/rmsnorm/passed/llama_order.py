"""The order of the LLaMA code: normalise in float32, cast back, then weigh."""

import torch
from torch import Tensor


def _norm(x: Tensor, eps: float) -> Tensor:
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps)


def rmsnorm(x: Tensor, weight: Tensor, eps: float = 1e-5) -> Tensor:
    wide = torch.promote_types(x.dtype, torch.float32)
    return _norm(x.to(wide), eps).type_as(x) * weight
