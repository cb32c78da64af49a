"""The answer, in named steps: each function here is one that a mistake can replace. The judge runs it in float64."""

import torch
from torch import Tensor


def shift(x: Tensor) -> Tensor:
    """Take the largest value of each row off: exp cannot overflow then, and the shares stay the same."""
    return x - x.amax(dim=-1, keepdim=True)


def share(x: Tensor) -> Tensor:
    """Each exponential, divided by their sum over the last axis."""
    weights = torch.exp(x)
    return weights / weights.sum(dim=-1, keepdim=True)


def new_function(x: Tensor) -> Tensor:
    """(..., n) -> (..., n)."""
    return share(shift(x))
