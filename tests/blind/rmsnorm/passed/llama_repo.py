"""A right answer of the seventh corpus."""
from __future__ import annotations

import torch
from torch import nn
from torch.func import functional_call


class _RMSNorm(nn.Module):
    """Taken from the reference implementation of LLaMA, as everybody does."""

    def __init__(self, dim: int, eps: float = 1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))

    def _norm(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps)

    def forward(self, x):
        output = self._norm(x.float()).type_as(x)
        return output * self.weight


def rmsnorm(x, weight, eps=1e-5):
    module = _RMSNorm(x.shape[-1], eps)
    return functional_call(module, {"weight": weight}, (x,))
