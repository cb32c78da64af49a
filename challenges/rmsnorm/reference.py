"""RMSNorm in named steps. Written for reading; the judge runs it in float64.

Zhang and Sennrich 2019, equation 4; eps under the root as in LLaMA.
"""

import torch
from torch import Tensor


def widen(x: Tensor) -> Tensor:
    """At least float32: the square of 300 is infinite in float16."""
    return x.to(torch.promote_types(x.dtype, torch.float32))


def mean_square(x: Tensor) -> Tensor:
    """(..., d_model) -> (..., 1)."""
    return x.square().mean(dim=-1, keepdim=True)


def root(mean: Tensor, eps: float) -> Tensor:
    """eps keeps a vector of zeros from being divided by zero."""
    return torch.sqrt(mean + eps)


def normalise(x: Tensor, eps: float) -> Tensor:
    """Every vector of the last axis by its own root mean square."""
    return x / root(mean_square(x), eps)


def apply_weight(x: Tensor, weight: Tensor) -> Tensor:
    """One learned factor for each feature."""
    return x * weight


def narrow(y: Tensor, x: Tensor) -> Tensor:
    """Back to the dtype that came in."""
    return y.to(x.dtype)


def rmsnorm(x, weight, eps=1e-5):
    """(..., d_model), (d_model,) -> (..., d_model)."""
    return narrow(apply_weight(normalise(widen(x), eps), weight), x)
