"""The maximum of the whole tensor is subtracted, not that of each row along dim."""
import torch
from torch import Tensor


def softmax(x: Tensor, dim: int) -> Tensor:
    shifted = x - x.max()
    e = torch.exp(shifted)
    return e / e.sum(dim=dim, keepdim=True)
