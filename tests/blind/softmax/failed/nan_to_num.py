"""Minus infinity is replaced by 0 and so gets a share."""
import torch
from torch import Tensor


def softmax(x: Tensor, dim: int) -> Tensor:
    x = torch.nan_to_num(x, neginf=0.0)
    shifted = x - x.max(dim=dim, keepdim=True).values
    e = torch.exp(shifted)
    return e / e.sum(dim=dim, keepdim=True)
