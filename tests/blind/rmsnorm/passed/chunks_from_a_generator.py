"""Flattens the leading axes, goes through the vectors a few at a time with a generator, and concatenates."""

from collections.abc import Iterator

import torch
from torch import Tensor


def _normed(rows: Tensor, weight: Tensor, eps: float, size: int = 5) -> Iterator[Tensor]:
    for part in rows.split(size):
        wide = part.to(torch.promote_types(part.dtype, torch.float32))
        rms = torch.addcmul(torch.full_like(wide, eps), wide, wide, value=1.0).mean(-1, keepdim=True).sqrt()
        yield (wide / rms).to(part.dtype) * weight


def rmsnorm(x: Tensor, weight: Tensor, eps: float = 1e-5) -> Tensor:
    rows = x.reshape(-1, x.shape[-1])
    return torch.cat(list(_normed(rows, weight, float(eps)))).reshape(x.shape)
