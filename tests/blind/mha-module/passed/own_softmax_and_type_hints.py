"""Three typed attention modules with a stable softmax written by hand."""

from __future__ import annotations

import torch
from torch import nn


def masked_softmax(scores: torch.Tensor, hidden: torch.Tensor) -> torch.Tensor:
    scores = scores.masked_fill(hidden, -torch.inf)
    e = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return e / e.sum(dim=-1, keepdim=True)


class CausalAttention(nn.Module):
    mask: torch.Tensor

    def __init__(self, d_in: int, d_out: int, context_length: int, dropout: float, qkv_bias: bool = False) -> None:
        super().__init__()
        self.to_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_v = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(p=dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length).tril() == 0)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        n = x.shape[1]
        scores = torch.matmul(self.to_q(x), self.to_k(x).mT).div(self.to_q.out_features**0.5)
        return torch.matmul(self.dropout(masked_softmax(scores, self.mask[:n, :n])), self.to_v(x))


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
        )

    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], dim=-1)


class MultiHeadAttention(nn.Module):
    mask: torch.Tensor

    def __init__(
        self, d_in: int, d_out: int, context_length: int, dropout: float, num_heads: int, qkv_bias: bool = False
    ) -> None:
        super().__init__()
        if d_out % num_heads:
            raise AssertionError(f"d_out ({d_out}) must be divisible by num_heads ({num_heads})")
        self.num_heads: int = num_heads
        self.to_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_v = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(p=dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length).tril() == 0)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        n = x.shape[1]
        q, k, v = (f(x).unflatten(2, (self.num_heads, -1)).movedim(1, 2) for f in (self.to_q, self.to_k, self.to_v))
        scores = torch.matmul(q, k.mT).div(q.shape[-1] ** 0.5)
        out = torch.matmul(self.dropout(masked_softmax(scores, self.mask[:n, :n])), v)
        return self.out_proj(out.movedim(1, 2).flatten(start_dim=2))
