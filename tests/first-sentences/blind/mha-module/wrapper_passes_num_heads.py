# Says: In `MultiHeadAttentionWrapper` the call `CausalAttention(d_in, d_out, context_length, dropout, num_heads, qkv_bias)` gives one argument too many: a single head takes no `num_heads`.
# Line: 39
# Names: CausalAttention, num_heads
# Kind: crash
from math import sqrt

import torch
from torch import Tensor, nn


def causal_weights(q: Tensor, k: Tensor) -> Tensor:
    n = q.shape[-2]
    hidden = torch.ones(n, n, dtype=torch.bool, device=q.device).triu(diagonal=1)
    s = q @ k.transpose(-2, -1) / sqrt(q.shape[-1])
    return s.masked_fill(hidden, float("-inf")).softmax(dim=-1)


class CausalAttention(nn.Module):
    def __init__(self, d_in: int, d_out: int, context_length: int, dropout: float, qkv_bias: bool = False) -> None:
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        w = causal_weights(self.W_query(x), self.W_key(x))
        w = self.dropout(w)
        return w @ self.W_value(x)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(
        self, d_in: int, d_out: int, context_length: int, dropout: float, num_heads: int, qkv_bias: bool = False
    ) -> None:
        super().__init__()
        self.heads = nn.ModuleList()
        for _ in range(num_heads):
            self.heads.append(CausalAttention(d_in, d_out, context_length, dropout, num_heads, qkv_bias))

    def forward(self, x: Tensor) -> Tensor:
        outs = [h(x) for h in self.heads]
        return torch.cat(outs, dim=-1)


class MultiHeadAttention(nn.Module):
    def __init__(
        self, d_in: int, d_out: int, context_length: int, dropout: float, num_heads: int, qkv_bias: bool = False
    ) -> None:
        super().__init__()
        if d_out % num_heads:
            raise ValueError("d_out % num_heads must be 0")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = (
            layer(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
            for layer in (self.W_query, self.W_key, self.W_value)
        )
        w = self.dropout(causal_weights(q, k))
        merged = (w @ v).transpose(1, 2).flatten(-2)
        return self.out_proj(merged)
