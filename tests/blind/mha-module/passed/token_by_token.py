"""A loop over tokens, all heads at once: each token meets only the slice of keys up to itself, so nothing is ever masked."""

import torch
from torch import nn


class _Base(nn.Module):
    def __init__(self, d_in, d_out, dropout, qkv_bias):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.drop = nn.Dropout(dropout)

    def rows(self, q, k, v):
        for t in range(q.shape[-2]):
            seen = slice(0, t + 1)
            scores = q[..., t : t + 1, :] @ k[..., seen, :].transpose(-1, -2) / q.shape[-1] ** 0.5
            yield self.drop(torch.softmax(scores, dim=-1)) @ v[..., seen, :]


class CausalAttention(_Base):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, dropout, qkv_bias)

    def forward(self, x):
        return torch.cat(list(self.rows(self.W_query(x), self.W_key(x), self.W_value(x))), dim=-2)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        one = lambda _: CausalAttention(d_in, d_out, context_length, dropout, qkv_bias)
        self.heads = nn.ModuleList(map(one, range(num_heads)))

    def forward(self, x):
        return torch.cat([h(x) for h in self.heads], dim=-1)


class MultiHeadAttention(_Base):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__(d_in, d_out, dropout, qkv_bias)
        assert d_out % num_heads == 0
        self.num_heads = num_heads
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = (w(x).reshape(b, t, self.num_heads, -1).transpose(1, 2) for w in (self.W_query, self.W_key, self.W_value))
        return self.out_proj(torch.cat(list(self.rows(q, k, v)), dim=-2).transpose(1, 2).reshape(b, t, -1))
