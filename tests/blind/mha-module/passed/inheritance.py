import math

import torch
from torch import nn


class _Attention(nn.Module):
    """What both kinds have in common: three layers, the mask, the dropout."""

    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self._p = dropout
        self.register_buffer("_hide", torch.full((context_length, context_length), -math.inf).triu(1), persistent=False)

    def attend(self, q, k, v):
        n = q.shape[-2]
        s = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(q.shape[-1]) + self._hide[:n, :n]
        w = torch.softmax(s, dim=-1)
        return torch.dropout(w, self._p, self.training) @ v


class CausalAttention(_Attention):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias)

    def forward(self, x):
        return self.attend(self.W_query(x), self.W_key(x), self.W_value(x))


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads))

    def forward(self, x):
        return torch.cat([h(x) for h in self.heads], -1)


class MultiHeadAttention(_Attention):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        if d_out % num_heads:
            raise ValueError("d_out is not divisible by num_heads")
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.num_heads = num_heads

    def forward(self, x):
        q, k, v = (f(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for f in (self.W_query, self.W_key, self.W_value))
        return self.out_proj(self.attend(q, k, v).transpose(1, 2).flatten(2))
