"""RMSNorm with rsqrt and a promoted dtype."""

import torch
from torch import Tensor


def rmsnorm(x: Tensor, weight: Tensor, eps: float = 1e-5) -> Tensor:
    work = torch.promote_types(x.dtype, torch.float32)
    h = x.to(work)
    h = h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + eps)
    return (h * weight.to(work)).to(x.dtype)
