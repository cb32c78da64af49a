"""The statistic is computed under no_grad, as batch norm treats its running averages, so x gets only half of its gradient."""
# expect: no gradient through the RMS
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Protocol

import torch
from torch import Tensor


class Statistic(Protocol):
    def __call__(self, x: Tensor) -> Tensor: ...


def in_at_least_float32(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Upcast every tensor argument, downcast the result to the dtype of the first."""

    @wraps(function)
    def wrapper(x: Tensor, *args: object, **kwargs: object) -> Tensor:
        working = torch.promote_types(x.dtype, torch.float32)
        up = [a.to(working) if isinstance(a, Tensor) else a for a in args]
        return function(x.to(working), *up, **kwargs).to(x.dtype)

    return wrapper


@dataclass(frozen=True, slots=True)
class RootMeanSquare:
    eps: float

    def __call__(self, x: Tensor) -> Tensor:
        with torch.no_grad():
            return torch.sqrt(x.square().mean(dim=-1, keepdim=True) + self.eps)


@dataclass(frozen=True, slots=True)
class Normalizer:
    statistic: Statistic

    def __call__(self, x: Tensor, gain: Tensor) -> Tensor:
        return x / self.statistic(x) * gain


@in_at_least_float32
def _apply(x: Tensor, weight: Tensor, normalizer: Normalizer) -> Tensor:
    return normalizer(x, weight)


def rmsnorm(x: Tensor, weight: Tensor, eps: float = 1e-5) -> Tensor:
    return _apply(x, weight, Normalizer(RootMeanSquare(eps)))
