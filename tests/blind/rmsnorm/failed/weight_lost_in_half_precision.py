"""Wrong: in float16 and bfloat16 the weight is widened through .data, so its gradient is missing there; in float32 and float64 everything is right."""

import torch
from torch import Tensor


def rmsnorm(x: Tensor, weight: Tensor, eps: float = 1e-5) -> Tensor:
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    mean_square = wide.pow(2).mean(dim=-1, keepdim=True)
    rms = torch.sqrt(mean_square + eps)
    if wide.dtype != x.dtype:
        weight = weight.data.float()
    return (wide / rms * weight).to(x.dtype)
