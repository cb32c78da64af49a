"""Right: one abstract base class does the attention, the three differ only in how they split and merge."""
from __future__ import annotations

from abc import ABC, abstractmethod

import torch
from torch import Tensor, nn


class _Causal(nn.Module, ABC):
    def __init__(self, d_in: int, d_out: int, context_length: int, dropout: float, qkv_bias: bool) -> None:
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        future = torch.ones(context_length, context_length, dtype=torch.bool).triu(1)
        self.register_buffer("future", future, persistent=False)

    @abstractmethod
    def split(self, t: Tensor) -> Tensor: ...

    @abstractmethod
    def merge(self, t: Tensor) -> Tensor: ...

    def attend(self, x: Tensor) -> Tensor:
        q, k, v = self.split(self.W_query(x)), self.split(self.W_key(x)), self.split(self.W_value(x))
        n = x.shape[1]
        scores = (q @ k.transpose(-2, -1)) / q.shape[-1] ** 0.5
        weights = scores.masked_fill(self.future[:n, :n], float("-inf")).softmax(dim=-1)
        return self.merge(self.dropout(weights) @ v)


class CausalAttention(_Causal):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias)

    def split(self, t):
        return t

    merge = split

    def forward(self, x):
        return self.attend(x)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        arguments = d_in, d_out, context_length, dropout, qkv_bias
        self.heads = nn.ModuleList(CausalAttention(*arguments) for _ in range(num_heads))

    def forward(self, x):
        return torch.concat(tuple(head(x) for head in self.heads), dim=2)


class MultiHeadAttention(_Causal):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        if d_out % num_heads != 0:
            raise ValueError(f"num_heads={num_heads} does not divide d_out={d_out}")
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias)
        self.num_heads = num_heads
        self.out_proj = nn.Linear(d_out, d_out)

    def split(self, t):
        return t.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)

    def merge(self, t):
        return t.transpose(1, 2).flatten(2)

    def forward(self, x):
        return self.out_proj(self.attend(x))
