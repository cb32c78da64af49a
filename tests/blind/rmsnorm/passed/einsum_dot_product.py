"""The sum of squares is an einsum of x with itself."""

import torch
from torch import Tensor


def rmsnorm(x: Tensor, weight: Tensor, eps: float = 1e-5) -> Tensor:
    wide = torch.promote_types(x.dtype, torch.float32)
    z = x.to(wide)
    mean_square = torch.einsum("...d,...d->...", z, z) / x.shape[-1]
    scale = (mean_square + eps).rsqrt()
    return torch.einsum("...d,...,d->...d", z, scale, weight.to(wide)).to(x.dtype)
