"""A decorator computes in float64 and casts the result back to the dtype of the first argument."""

import functools
from collections.abc import Callable

from torch import Tensor


def in_double(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    @functools.wraps(function)
    def wrapper(x: Tensor, weight: Tensor, eps: float = 1e-5) -> Tensor:
        return function(x.double(), weight.double(), eps).to(x.dtype)

    return wrapper


@in_double
def rmsnorm(x: Tensor, weight: Tensor, eps: float = 1e-5) -> Tensor:
    return x * weight / x.pow(2).mean(dim=-1, keepdim=True).add(eps).sqrt()
