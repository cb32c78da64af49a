"""Wrong: the inverse root comes from a bit trick with a single Newton step, which is off by up to two thousandths."""

import torch
from torch import Tensor


def inverse_root(y: Tensor) -> Tensor:
    """About 1 / sqrt(y) for a positive float32."""
    guess = (0x5F3759DF - (y.detach().contiguous().view(torch.int32) >> 1)).view(torch.float32)
    guess = guess * (1.5 - 0.5 * y.detach() * guess * guess)
    # The derivative of y ** -0.5 with the guessed value.
    return guess - 0.5 * guess**3 * (y - y.detach())


def rmsnorm(x: Tensor, weight: Tensor, eps: float = 1e-5) -> Tensor:
    wide = x.float()
    return (wide * inverse_root(wide.square().mean(-1, keepdim=True) + eps) * weight.float()).to(x.dtype)
