"""The differences are clamped to -50, so minus infinity gets a tiny share instead of exactly 0."""
import torch
from torch import Tensor


def softmax(x: Tensor, dim: int) -> Tensor:
    shifted = x - x.max(dim=dim, keepdim=True).values
    e = torch.exp(shifted.clamp(min=-50))  # nothing below this matters
    return e / e.sum(dim=dim, keepdim=True)
