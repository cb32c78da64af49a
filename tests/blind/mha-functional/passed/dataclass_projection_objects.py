"""Right: a software engineer's answer with frozen dataclasses, one responsibility each, and a validated configuration."""
from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Protocol

import torch
from torch import Tensor


class Merge(Protocol):
    def __call__(self, heads: Tensor) -> Tensor: ...


@dataclass(frozen=True)
class Heads:
    count: int
    d_model: int

    def __post_init__(self) -> None:
        if self.d_model % self.count:
            raise ValueError(f"{self.count} heads do not divide a model of {self.d_model} features")

    @property
    def width(self) -> int:
        return self.d_model // self.count

    def split(self, features: Tensor) -> Tensor:
        return features.unflatten(-1, (self.count, self.width)).transpose(-3, -2)

    def merge(self, heads: Tensor) -> Tensor:
        return heads.transpose(-3, -2).flatten(-2)


@dataclass(frozen=True)
class Weights:
    in_proj: Tensor
    out_proj: Tensor

    def block(self, index: int, size: int) -> Tensor:
        return self.in_proj.narrow(0, index * size, size)


@dataclass(frozen=True)
class Mask:
    hidden: Tensor | None

    def apply(self, scores: Tensor) -> Tensor:
        if self.hidden is None:
            return scores
        hidden = self.hidden.bool()
        per_head = hidden.unsqueeze(-3) if hidden.ndim > 2 else hidden
        return scores.masked_fill(per_head, -torch.inf)


def attend(query: Tensor, key: Tensor, value: Tensor, mask: Mask) -> Tensor:
    scores = query @ key.transpose(-2, -1) / sqrt(query.size(-1))
    return mask.apply(scores).softmax(-1) @ value


def multi_head_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    num_heads: int,
    d_model: int,
    mask: Tensor | None = None,
    *,
    in_proj_weight: Tensor,
    out_proj_weight: Tensor,
) -> Tensor:
    heads, weights = Heads(num_heads, d_model), Weights(in_proj_weight, out_proj_weight)
    query, key, value = (heads.split(x @ weights.block(i, d_model).mT) for i, x in enumerate((q, k, v)))
    return heads.merge(attend(query, key, value, Mask(mask))) @ weights.out_proj.mT
