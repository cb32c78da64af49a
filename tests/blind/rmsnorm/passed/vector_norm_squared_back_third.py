"""RMSNorm by the euclidean norm from torch.linalg, squared again so that eps stands under the root."""

import torch
from torch import Tensor


def rmsnorm(x: Tensor, weight: Tensor, eps: float = 1e-5) -> Tensor:
    if x.shape[-1] != weight.shape[0]:
        raise ValueError(f"x has {x.shape[-1]} features, weight has {weight.shape[0]}")
    dtype = torch.float64 if x.dtype == torch.float64 else torch.float32
    length = torch.linalg.vector_norm(x, dim=-1, keepdim=True, dtype=dtype)
    # ||x||^2 / d is the mean of the squares; the norm's gradient at zero is zero, so this is finite
    rms = torch.sqrt(length.square() / x.shape[-1] + eps)
    return (x.to(dtype) / rms * weight.to(dtype)).to(x.dtype)
