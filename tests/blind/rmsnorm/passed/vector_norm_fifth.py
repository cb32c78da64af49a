"""Right: the root mean square from torch.linalg.vector_norm, squared again so that eps can go under the root."""
from math import *

import torch
from torch import Tensor
from torch.linalg import vector_norm


def rmsnorm(x: Tensor, weight: Tensor, eps: float = 1e-5, *, dim: int = -1) -> Tensor:
    wide = torch.float64 if x.dtype == torch.float64 else torch.float32
    length = vector_norm(x, dim=dim, keepdim=True, dtype=wide)
    mean_square = length * length / x.size(dim)
    return (x.to(wide) / torch.sqrt(mean_square + eps)).to(x.dtype) * weight
