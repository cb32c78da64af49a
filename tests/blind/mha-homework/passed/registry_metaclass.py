"""Right: a metaclass registers every attention, a mixin splits and merges, properties hold the sizes."""
from __future__ import annotations

from typing import ClassVar, Final

import torch
from torch import Tensor, nn

ATTENTIONS: Final[dict[str, type]] = {}


class Registered(type):
    def __new__(mcs, name, bases, namespace, **kw):
        cls = super().__new__(mcs, name, bases, namespace, **kw)
        ATTENTIONS.setdefault(name.lower(), cls)
        return cls


class SplitsHeads:
    num_heads: int

    def split(self, t: Tensor) -> Tensor:
        return torch.stack(t.chunk(self.num_heads, dim=-1), dim=1)

    def merge(self, t: Tensor) -> Tensor:
        return torch.cat(t.unbind(1), dim=-1)


class MultiHeadAttention(SplitsHeads, nn.Module, metaclass=Registered):
    hidden_score: ClassVar[float] = float("-inf")

    def __init__(
        self, d_in: int, d_out: int, context_length: int, dropout: float, num_heads: int, qkv_bias: bool = False
    ) -> None:
        nn.Module.__init__(self)
        if d_out % num_heads:
            raise ValueError(f"{num_heads} heads cannot share {d_out} features")
        self.num_heads = num_heads
        for name in ("W_query", "W_key", "W_value"):
            setattr(self, name, nn.Linear(d_in, d_out, bias=qkv_bias))
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("later", torch.ones(context_length, context_length).triu(1).bool(), persistent=False)

    @property
    def head_dim(self) -> int:
        return self.out_proj.in_features // self.num_heads

    @property
    def scale(self) -> float:
        return self.head_dim**-0.5

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = (self.split(layer(x)) for layer in (self.W_query, self.W_key, self.W_value))
        scores = q.matmul(k.transpose(-1, -2)).mul_(self.scale)
        scores = scores.masked_fill(self.later[: x.shape[1], : x.shape[1]], self.hidden_score)
        return self.out_proj(self.merge(self.dropout(scores.softmax(-1)).matmul(v)))
