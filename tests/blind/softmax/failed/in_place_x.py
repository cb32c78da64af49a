"""x itself is changed: the maximum is subtracted in place."""
import torch
from torch import Tensor


def softmax(x: Tensor, dim: int) -> Tensor:
    x.data -= x.max(dim=dim, keepdim=True).values
    e = torch.exp(x)
    return e / e.sum(dim=dim, keepdim=True)
