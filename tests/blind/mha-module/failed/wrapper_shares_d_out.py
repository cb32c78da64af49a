"""The heads of the wrapper share d_out instead of being d_out wide each.

Shows in MultiHeadAttentionWrapper for two heads or more: the result is only d_out wide.
"""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn


class CausalAttention(nn.Module):
    mask: Bool[Tensor, "context context"]

    def __init__(self, d_in: int, d_out: int, context_length: int, dropout: float, qkv_bias: bool = False) -> None:
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length, dtype=torch.bool).triu(1))

    def attend(
        self, q: Float[Tensor, "*b n d"], k: Float[Tensor, "*b n d"], v: Float[Tensor, "*b n d"]
    ) -> Float[Tensor, "*b n d"]:
        n, d = q.shape[-2], q.shape[-1]
        scores = (q @ k.mT) / d**0.5
        scores = scores.masked_fill(self.mask[:n, :n], float("-inf"))
        return self.dropout(scores.softmax(-1)) @ v

    def forward(self, x: Float[Tensor, "b n d_in"]) -> Float[Tensor, "b n d_out"]:
        return self.attend(self.W_query(x), self.W_key(x), self.W_value(x))


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(
        self, d_in: int, d_out: int, context_length: int, dropout: float, num_heads: int, qkv_bias: bool = False
    ) -> None:
        super().__init__()
        self.heads = nn.ModuleList(
            CausalAttention(d_in, d_out // num_heads, context_length, dropout, qkv_bias) for _ in range(num_heads)
        )

    def forward(self, x: Float[Tensor, "b n d_in"]) -> Float[Tensor, "b n d_all"]:
        return torch.cat([head(x) for head in self.heads], dim=-1)


class MultiHeadAttention(CausalAttention):
    def __init__(
        self, d_in: int, d_out: int, context_length: int, dropout: float, num_heads: int, qkv_bias: bool = False
    ) -> None:
        if d_out % num_heads != 0:
            raise ValueError(f"num_heads ({num_heads}) must divide d_out ({d_out})")
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.num_heads = num_heads

    def _split(self, t: Float[Tensor, "b n d_out"]) -> Float[Tensor, "b h n d"]:
        return t.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)

    def forward(self, x: Float[Tensor, "b n d_in"]) -> Float[Tensor, "b n d_out"]:
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        z = self.attend(self._split(q), self._split(k), self._split(v))
        return self.out_proj(z.transpose(1, 2).flatten(-2))
