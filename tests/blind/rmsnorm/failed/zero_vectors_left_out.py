"""Wrong: vectors of zeros are passed through from x by torch.where instead of being normalised, so there the gradient of x is the incoming one and not weight / sqrt(eps) times it; values are right."""

import torch
from torch import Tensor


def rmsnorm(x: Tensor, weight: Tensor, eps: float = 1e-5) -> Tensor:
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    mean_square = wide.pow(2).mean(dim=-1, keepdim=True)
    rms = torch.sqrt(mean_square + eps)
    result = (wide / rms * weight).to(x.dtype)
    return torch.where((x == 0).all(dim=-1, keepdim=True), x, result)
