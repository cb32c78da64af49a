"""Sizes live in a small dataclass that also checks them."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class Sizes:
    batch: int
    queries: int
    keys: int
    heads: int
    width: int

    def __post_init__(self):
        if self.width % self.heads:
            raise ValueError(f"{self.heads} heads do not divide {self.width} features")

    @property
    def head(self) -> int:
        return self.width // self.heads

    @property
    def scale(self) -> float:
        return float(self.head) ** -0.5


def _split(x: Tensor, s: Sizes) -> Tensor:
    return x.reshape(s.batch, -1, s.heads, s.head).movedim(2, 1)


def multi_head_attention(
    q: Tensor, k: Tensor, v: Tensor, num_heads: int, d_model: int, mask: Tensor | None = None,
    *, in_proj_weight: Tensor, out_proj_weight: Tensor,
) -> Tensor:
    s = Sizes(q.shape[0], q.shape[1], k.shape[1], num_heads, d_model)
    w = in_proj_weight.unflatten(0, (3, d_model))
    Q, K, V = _split(q @ w[0].T, s), _split(k @ w[1].T, s), _split(v @ w[2].T, s)
    scores = torch.matmul(Q * s.scale, K.mT)
    if mask is not None:
        visible = torch.logical_not(mask).expand(s.batch, s.queries, s.keys).unsqueeze(1)
        scores = torch.where(visible, scores, float("-inf"))
    context = torch.matmul(scores.softmax(dim=-1), V).movedim(1, 2).reshape(s.batch, s.queries, s.width)
    return context @ out_proj_weight.T
