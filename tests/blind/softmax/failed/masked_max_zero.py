"""Minus infinity is replaced by 0 before the maximum is taken, so rows of very negative numbers with a minus infinity underflow to 0/0."""
import torch
from torch import Tensor


def softmax(x: Tensor, dim: int) -> Tensor:
    top = x.masked_fill(torch.isinf(x), 0).max(dim=dim, keepdim=True).values
    shifted = x - top
    e = torch.exp(shifted)
    return e / e.sum(dim=dim, keepdim=True)
