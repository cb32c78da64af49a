"""keepdim is missing in the sum, so it is divided along another axis or does not broadcast."""
import torch
from torch import Tensor


def softmax(x: Tensor, dim: int) -> Tensor:
    shifted = x - x.max(dim=dim, keepdim=True).values
    e = torch.exp(shifted)
    return e / e.sum(dim=dim)
