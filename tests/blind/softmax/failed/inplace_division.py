"""The division is done in place on the exponentials, which autograd needs for the gradient."""
import torch
from torch import Tensor


def softmax(x: Tensor, dim: int) -> Tensor:
    shifted = x - x.max(dim=dim, keepdim=True).values
    e = torch.exp(shifted)
    e /= e.sum(dim=dim, keepdim=True)
    return e
