"""dim = 0 is taken for 'not given' and becomes -1."""
import torch
from torch import Tensor


def softmax(x: Tensor, dim: int) -> Tensor:
    dim = dim or -1
    shifted = x - x.max(dim=dim, keepdim=True).values
    e = torch.exp(shifted)
    return e / e.sum(dim=dim, keepdim=True)
