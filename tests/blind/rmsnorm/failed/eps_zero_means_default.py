"""Wrong: eps or 1e-5 replaces an eps of 0 by the default, which shows with small vectors."""

import torch
from torch import Tensor


def rmsnorm(x: Tensor, weight: Tensor, eps: float = 1e-5) -> Tensor:
    eps = eps or 1e-5
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    mean_square = wide.pow(2).mean(dim=-1, keepdim=True)
    rms = torch.sqrt(mean_square + eps)
    return (wide / rms * weight).to(x.dtype)
