# Says: There is no `torch.rsqr`, the reciprocal square root is called `torch.rsqrt`.
# Line: 10
# Names: rsqr, rsqrt
# Kind: crash
import torch
from torch import Tensor


def _norm(x: Tensor, eps: float) -> Tensor:
    return x * torch.rsqr(x.pow(2).mean(-1, keepdim=True) + eps)


def rmsnorm(x: Tensor, weight: Tensor, eps: float = 1e-5) -> Tensor:
    output = _norm(x.float(), eps).type_as(x)
    return output * weight
