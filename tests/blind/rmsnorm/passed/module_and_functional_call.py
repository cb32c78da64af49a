"""An nn.Module with a weight of its own, for which torch.func.functional_call substitutes the caller's."""

import torch
from torch import Tensor, nn
from torch.func import functional_call


class Norm(nn.Module):
    def __init__(self, width: int, eps: float) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(width, device="meta"))
        self.eps = eps

    def extra_repr(self) -> str:
        return f"eps={self.eps}"

    def forward(self, x: Tensor) -> Tensor:
        wide = x if x.dtype == torch.float64 else x.float()
        mean_square = nn.functional.linear(wide.square(), torch.full_like(wide, 1 / x.shape[-1]).reshape(-1, x.shape[-1])[:1])
        return (wide / (mean_square + self.eps).sqrt()).type_as(x) * self.weight


def rmsnorm(x: Tensor, weight: Tensor, eps: float = 1e-5) -> Tensor:
    return functional_call(Norm(x.shape[-1], eps), {"weight": weight}, (x,))
