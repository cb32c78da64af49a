"""Multiplies the scores by the mask and then hides whatever is exactly zero, which may be a real score."""
# expect: visible zero scores are hidden
from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


class Attended(NamedTuple):
    output: Tensor
    attention_weights: Tensor


class Attention(Protocol):
    def __call__(self, Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Attended: ...


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Attended:
    scores = (Q * Q.shape[-1] ** -0.5).matmul(K.transpose(-2, -1))
    if mask is not None:
        scores = scores * mask
        scores = scores + Tensor(np.where(scores.data == 0, -1e12, 0.0))
    weights = Softmax()(scores, dim=-1)
    return Attended(output=weights.matmul(V), attention_weights=weights)


@dataclass(frozen=True)
class HeadLayout:
    heads: int
    width: int

    @classmethod
    def of(cls, embed_dim: int, heads: int) -> HeadLayout:
        width, rest = divmod(embed_dim, heads)
        if rest:
            raise ValueError(f"embed_dim {embed_dim} is not divisible by num_heads {heads}")
        return cls(heads, width)

    def split(self, t: Tensor) -> Tensor:
        return t.reshape(*t.shape[:-1], self.heads, self.width).transpose(-3, -2)

    def merge(self, t: Tensor) -> Tensor:
        swapped = t.transpose(-3, -2)
        return swapped.reshape(*swapped.shape[:-2], self.heads * self.width)


class MultiHeadAttention:
    PROJECTIONS = ("q_proj", "k_proj", "v_proj", "out_proj")

    def __init__(self, embed_dim: int, num_heads: int) -> None:
        self._layout = HeadLayout.of(embed_dim, num_heads)
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        for name in self.PROJECTIONS:
            setattr(self, name, Linear(embed_dim, embed_dim))
        self._attend: Attention = functools.partial(scaled_dot_product_attention)

    @property
    def head_dim(self) -> int:
        return self._layout.width

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        per_head = None if mask is None or mask.ndim < 3 else Tensor(np.expand_dims(mask.data, -3))
        if mask is not None and mask.ndim == 2:
            per_head = mask
        q, k, v = (self._layout.split(project(x)) for project in (self.q_proj, self.k_proj, self.v_proj))
        return self.out_proj(self._layout.merge(self._attend(q, k, v, mask=per_head).output))

    def __call__(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        return self.forward(x, mask)

    def parameters(self) -> list[Tensor]:
        return [t for name in self.PROJECTIONS for t in getattr(self, name).parameters()]
