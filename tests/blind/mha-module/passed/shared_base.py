"""A right answer of the seventh corpus."""
from __future__ import annotations

import torch
from torch import Tensor, nn


class _Projections(nn.Module):
    """Queries, keys, values and the causal part that both kinds of attention share."""

    def __init__(self, d_in: int, d_out: int, dropout: float, bias: bool) -> None:
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=bias)
        self.W_key = nn.Linear(d_in, d_out, bias=bias)
        self.W_value = nn.Linear(d_in, d_out, bias=bias)
        self._p = dropout

    def qkv(self, x: Tensor) -> tuple[Tensor, ...]:
        return tuple(layer(x) for layer in (self.W_query, self.W_key, self.W_value))

    def attend(self, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        index = torch.arange(q.shape[-2], device=q.device)
        scores = torch.matmul(q, k.mT).mul(q.shape[-1] ** -0.5)
        scores = torch.where(index >= index.unsqueeze(-1) + 1, -torch.inf, scores)
        weights = nn.functional.dropout(scores.softmax(-1), self._p, self.training)
        return torch.matmul(weights, v)


class CausalAttention(_Projections):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, dropout, qkv_bias)

    def forward(self, x: Tensor) -> Tensor:
        return self.attend(*self.qkv(x))


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList()
        for _ in range(num_heads):
            self.heads.append(CausalAttention(d_in, d_out, context_length, dropout, qkv_bias))

    def forward(self, x: Tensor) -> Tensor:
        return torch.concat([head(x) for head in self.heads], dim=2)


class MultiHeadAttention(_Projections):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        if d_out % num_heads:
            raise ValueError(f"num_heads={num_heads} does not divide d_out={d_out}")
        super().__init__(d_in, d_out, dropout, qkv_bias)
        self.num_heads = num_heads
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = (t.unflatten(-1, (self.num_heads, -1)).transpose(-3, -2) for t in self.qkv(x))
        return self.out_proj(self.attend(q, k, v).transpose(-3, -2).flatten(-2))
