"""Wrong: the rms is treated as a constant in the backward pass."""
from __future__ import annotations

import functools
import time
from enum import Enum
from typing import Any, Callable, NamedTuple, Protocol

import torch
from torch import Tensor


class Norm(Protocol):
    def __call__(self, x: Tensor, weight: Tensor, eps: float = ...) -> Tensor: ...


class Precision(Enum):
    SINGLE = torch.float32
    DOUBLE = torch.float64

    @classmethod
    def of(cls, t: Tensor) -> Precision:
        return cls.DOUBLE if t.dtype == torch.float64 else cls.SINGLE


class Stats(NamedTuple):
    mean_square: Tensor
    eps: float

    @property
    def rms(self) -> Tensor:
        return self.mean_square.add(self.eps).sqrt()


def upcast(f: Norm) -> Norm:
    @functools.wraps(f)
    def inner(x: Tensor, weight: Tensor, eps: float = 1e-5) -> Tensor:
        p = Precision.of(x).value
        return f(x.to(p), weight.to(p), eps).to(x.dtype)

    return inner


def shaped(f: Norm) -> Norm:
    @functools.wraps(f)
    def inner(*args: Any, **kwargs: Any) -> Tensor:
        out = f(*args, **kwargs)
        x = args[0] if args else kwargs["x"]
        assert out.shape == x.shape, f"shape changed from {tuple(x.shape)} to {tuple(out.shape)}"
        return out

    return inner


def timed(f: Callable[..., Tensor]) -> Callable[..., Tensor]:
    @functools.wraps(f)
    def inner(*args: Any, **kwargs: Any) -> Tensor:
        start = time.perf_counter()
        try:
            return f(*args, **kwargs)
        finally:
            inner.seconds += time.perf_counter() - start

    inner.seconds = 0.0
    return inner


@timed
@shaped
@upcast
def rmsnorm(x: Tensor, weight: Tensor, eps: float = 1e-5) -> Tensor:
    stats = Stats(torch.mean(x.detach() ** 2, dim=-1, keepdim=True), eps)
    return weight * (x / stats.rms)
