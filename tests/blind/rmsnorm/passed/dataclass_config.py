"""A frozen dataclass carries eps and dtype through the helpers."""

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class Setting:
    eps: float
    dtype: torch.dtype

    def root_mean_square(self, x: Tensor) -> Tensor:
        n = x.shape[-1]
        return ((x * x).sum(-1, keepdim=True) / n + self.eps).sqrt()


def rmsnorm(x: Tensor, weight: Tensor, eps: float = 1e-5) -> Tensor:
    s = Setting(eps, torch.float32 if x.element_size() < 8 else torch.float64)
    wide = x.to(s.dtype)
    return (wide / s.root_mean_square(wide) * weight.to(s.dtype)).to(x.dtype)
