"""Keeps the causal bias of the first call and only makes a new one when the sequence is longer; for a shorter one it takes the wrong corner."""
# expect: stale mask for shorter sequences
import torch
from torch import nn


class Masked(nn.Module):
    def __init__(self):
        super().__init__()
        self.bias = None

    def causal(self, s):
        n = s.shape[-1]
        if self.bias is None or self.bias.shape[0] < n:
            self.bias = torch.full((n, n), -torch.inf, dtype=s.dtype, device=s.device).triu(1)
        return s + self.bias[:n, -n:]


class CausalAttention(Masked):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return self.dropout(self.causal(q @ k.mT / q.shape[-1] ** 0.5).softmax(-1)) @ v


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)
        )

    def forward(self, x):
        return torch.cat([h(x) for h in self.heads], -1)


class MultiHeadAttention(Masked):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("num_heads must divide d_out")
        self.h = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        q, k, v = (f(x).unflatten(2, (self.h, -1)).transpose(1, 2) for f in (self.W_query, self.W_key, self.W_value))
        y = self.dropout(self.causal(q @ k.mT / q.shape[-1] ** 0.5).softmax(-1)) @ v
        return self.out_proj(y.transpose(1, 2).flatten(2))
