"""Right: a software engineer's answer with a mixin for the projections, a mask buffer and factories."""
from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Protocol

import torch
from torch import Tensor, nn


class HeadFactory(Protocol):
    def __call__(self) -> nn.Module: ...


class CausalMask(nn.Module):
    is_future: Tensor

    def __init__(self, context_length: int) -> None:
        super().__init__()
        self.register_buffer("is_future", torch.ones(context_length, context_length).triu(1).bool(), persistent=False)

    def forward(self, scores: Tensor) -> Tensor:
        length = scores.size(-1)
        return scores.masked_fill(self.is_future[:length, :length], float("-inf"))


class _Projected(nn.Module):
    """Three projections, a mask and dropout: what both kinds of attention have in common."""

    def __init__(self, d_in: int, d_out: int, context_length: int, dropout: float, qkv_bias: bool) -> None:
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.mask = CausalMask(context_length)

    def _projections(self, x: Tensor) -> Iterator[Tensor]:
        yield from (layer(x) for layer in (self.W_query, self.W_key, self.W_value))

    def _attend(self, query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        scores = query @ key.transpose(-2, -1) / query.size(-1) ** 0.5
        return self.dropout(self.mask(scores).softmax(dim=-1)) @ value


class CausalAttention(_Projected):
    def __init__(self, d_in: int, d_out: int, context_length: int, dropout: float, qkv_bias: bool = False) -> None:
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias)

    def forward(self, x: Tensor) -> Tensor:
        return self._attend(*self._projections(x))


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(
        self, d_in: int, d_out: int, context_length: int, dropout: float, num_heads: int, qkv_bias: bool = False
    ) -> None:
        super().__init__()
        new_head: HeadFactory = partial(CausalAttention, d_in, d_out, context_length, dropout, qkv_bias)
        self.heads = nn.ModuleList([new_head() for _ in range(num_heads)])

    def forward(self, x: Tensor) -> Tensor:
        return torch.cat(tuple(head(x) for head in self.heads), dim=-1)


class MultiHeadAttention(_Projected):
    def __init__(
        self, d_in: int, d_out: int, context_length: int, dropout: float, num_heads: int, qkv_bias: bool = False
    ) -> None:
        head_dim, rest = divmod(d_out, num_heads)
        if rest:
            raise ValueError(f"{num_heads} heads cannot share {d_out} features")
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.split = partial(torch.Tensor.unflatten, dim=-1, sizes=(num_heads, head_dim))

    def forward(self, x: Tensor) -> Tensor:
        heads = (self.split(t).transpose(1, 2) for t in self._projections(x))
        return self.out_proj(self._attend(*heads).transpose(1, 2).flatten(-2))
