"""Three attention modules, two of them derived from one base class that owns projections and mask."""

import torch
from torch import nn


class _Causal(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias):
        super().__init__()
        for name in ("W_query", "W_key", "W_value"):
            self.add_module(name, nn.Linear(d_in, d_out, bias=qkv_bias))
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length, dtype=torch.bool).triu(1))

    def attend(self, q, k, v):
        n = q.size(-2)
        scores = q @ k.mT / q.size(-1) ** 0.5
        scores.masked_fill_(self.mask[:n, :n], -torch.inf)
        return self.dropout(scores.softmax(dim=-1)) @ v


class CausalAttention(_Causal):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias)

    def forward(self, x):
        return self.attend(self.W_query(x), self.W_key(x), self.W_value(x))


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
        )

    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], dim=-1)


class MultiHeadAttention(_Causal):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        if d_out % num_heads != 0:
            raise ValueError("d_out has to be a multiple of num_heads")
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias)
        self.num_heads = num_heads
        self.out_proj = nn.Linear(d_out, d_out)

    def split(self, y):
        return y.reshape(*y.shape[:-1], self.num_heads, -1).transpose(-2, -3)

    def forward(self, x):
        out = self.attend(self.split(self.W_query(x)), self.split(self.W_key(x)), self.split(self.W_value(x)))
        return self.out_proj(out.transpose(-2, -3).flatten(-2))
