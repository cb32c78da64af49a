"""The maximum is not subtracted, so large numbers overflow."""
import torch
from torch import Tensor


def softmax(x: Tensor, dim: int) -> Tensor:
    e = torch.exp(x)
    return e / e.sum(dim=dim, keepdim=True)
