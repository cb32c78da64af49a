"""A right answer of the seventh corpus."""
import torch
from torch import Tensor


def _norm(x: Tensor, dims: tuple[int, ...], eps: float) -> Tensor:
    n = 1
    for d in dims:
        n *= x.shape[d]
    return x / torch.sqrt(torch.sum(x * x, dims, keepdim=True).div_(n).add_(eps))


def rmsnorm(x: Tensor, weight: Tensor, eps: float = 1e-5) -> Tensor:
    lifted = x.unsqueeze(0).double()
    result = _norm(lifted, (-1,), eps) * weight.double().view(-1)
    result = result.squeeze(0)
    if result.dtype != x.dtype:
        result = result.to(x.dtype)
    return result
