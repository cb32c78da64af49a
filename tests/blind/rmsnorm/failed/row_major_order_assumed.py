"""Wrong: the vectors are read with as_strided as if x were contiguous, so transposed and expanded inputs give wrong numbers."""

import torch
from torch import Tensor


def rmsnorm(x: Tensor, weight: Tensor, eps: float = 1e-5) -> Tensor:
    strides = torch.empty(x.shape, device="meta").stride()
    if sum((n - 1) * s for n, s in zip(x.shape, strides)) < x.untyped_storage().nbytes() // x.element_size() - x.storage_offset():
        x = x.as_strided(x.shape, strides)
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    mean_square = wide.pow(2).mean(dim=-1, keepdim=True)
    rms = torch.sqrt(mean_square + eps)
    return (wide / rms * weight).to(x.dtype)
