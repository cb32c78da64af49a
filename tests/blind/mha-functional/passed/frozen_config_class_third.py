"""Multi-head attention through a small helper class that holds the sizes and the split / merge steps."""
from dataclasses import dataclass
from typing import Optional

import torch
from torch import Tensor


@dataclass(frozen=True)
class Heads:
    count: int
    width: int

    @classmethod
    def of(cls, count: int, d_model: int) -> "Heads":
        width, rest = divmod(d_model, count)
        if rest:
            raise ValueError("d_model must be a multiple of num_heads")
        return cls(count, width)

    def split(self, x: Tensor) -> Tensor:
        return x.unflatten(-1, (self.count, self.width)).movedim(-2, 1)

    def merge(self, x: Tensor) -> Tensor:
        return x.movedim(1, -2).flatten(-2)

    def scores(self, query: Tensor, key: Tensor) -> Tensor:
        return torch.matmul(query, key.mT) / self.width**0.5


def hide(scores: Tensor, mask: Optional[Tensor]) -> Tensor:
    if mask is None:
        return scores
    hidden = mask.to(torch.bool)
    while hidden.dim() < 3:
        hidden = hidden[None]
    return scores.masked_fill(hidden[:, None], -torch.inf)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    heads = Heads.of(num_heads, d_model)
    w_q = in_proj_weight[:d_model]
    w_k = in_proj_weight[d_model : 2 * d_model]
    w_v = in_proj_weight[2 * d_model :]
    query = heads.split(q @ w_q.mT)
    key = heads.split(k @ w_k.mT)
    value = heads.split(v @ w_v.mT)
    weights = hide(heads.scores(query, key), mask).softmax(-1)
    return heads.merge(weights @ value) @ out_proj_weight.mT
