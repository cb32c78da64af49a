"""A small number is added to the denominator, so shares do not add up to 1."""
import torch
from torch import Tensor


def softmax(x: Tensor, dim: int) -> Tensor:
    shifted = x - x.max(dim=dim, keepdim=True).values
    e = torch.exp(shifted)
    return e / (e.sum(dim=dim, keepdim=True) + 1e-3)
