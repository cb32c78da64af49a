"""Wrong: the length is taken as the root of a sum and squared again, so the gradient of a zero vector is NaN."""
from math import *

import torch
from torch import Tensor
from torch.linalg import vector_norm


def rmsnorm(x: Tensor, weight: Tensor, eps: float = 1e-5, *, dim: int = -1) -> Tensor:
    wide = torch.float64 if x.dtype == torch.float64 else torch.float32
    length = x.to(wide).square().sum(dim, keepdim=True).sqrt()
    mean_square = length * length / x.size(dim)
    return (x.to(wide) / torch.sqrt(mean_square + eps)).to(x.dtype) * weight
