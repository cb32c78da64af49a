"""Queries come from the keys' layer and keys from the queries'."""
# expect: query and key layers swapped
from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor, nn


@dataclass(frozen=True, slots=True)
class AttentionConfig:
    d_in: int
    d_out: int
    context_length: int
    dropout: float
    num_heads: int
    qkv_bias: bool

    def __post_init__(self) -> None:
        if self.d_out % self.num_heads != 0:
            raise ValueError(f"d_out={self.d_out} cannot be shared by num_heads={self.num_heads}")

    @property
    def head_dim(self) -> int:
        return self.d_out // self.num_heads


class Masking(Protocol):
    def __call__(self, scores: Tensor) -> Tensor: ...


class CausalMasking(nn.Module):
    hidden: Tensor

    def __init__(self, context_length: int) -> None:
        super().__init__()
        square = torch.ones(context_length, context_length, dtype=torch.bool)
        self.register_buffer("hidden", square.triu(diagonal=1))

    def forward(self, scores: Tensor) -> Tensor:
        rows, columns = scores.shape[-2:]
        return scores.masked_fill(self.hidden[:rows, :columns], float("-inf"))


class MultiHeadAttention(nn.Module):
    def __init__(
        self, d_in: int, d_out: int, context_length: int, dropout: float, num_heads: int, qkv_bias: bool = False
    ) -> None:
        super().__init__()
        self.config = AttentionConfig(d_in, d_out, context_length, dropout, num_heads, qkv_bias)
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_in, d_out, bias=qkv_bias) for _ in range(3))
        self.out_proj = nn.Linear(d_out, d_out)
        self.drop_weights = nn.Dropout(p=dropout)
        self.hide_future: Masking = CausalMasking(context_length)

    def forward(self, x: Tensor) -> Tensor:
        query, key, value = (self._to_heads(layer(x)) for layer in (self.k_proj, self.q_proj, self.v_proj))
        scores = query @ key.mT * self.config.head_dim**-0.5
        weights = self.drop_weights(self.hide_future(scores).softmax(dim=-1))
        return self.out_proj(self._from_heads(weights @ value))

    def _to_heads(self, features: Tensor) -> Tensor:
        return features.unflatten(-1, (self.config.num_heads, self.config.head_dim)).transpose(1, 2)

    def _from_heads(self, heads: Tensor) -> Tensor:
        return heads.transpose(1, 2).flatten(start_dim=2)
