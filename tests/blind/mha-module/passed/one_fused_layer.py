"""A single Linear makes queries, keys and values, in this order; with qkv_bias the initial weights of a seed come in another order."""

import torch
from torch import nn


class Fused(nn.Module):
    """x -> queries, keys, values."""

    def __init__(self, d_in, d_out, dropout, num_heads, bias):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("num_heads must divide d_out")
        self.num_heads = num_heads
        self.qkv = nn.Linear(d_in, 3 * d_out, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def attend(self, x):
        n = x.shape[1]
        q, k, v = self.qkv(x).unflatten(-1, (3, self.num_heads, -1)).permute(2, 0, 3, 1, 4)
        scores = q @ k.mT / q.shape[-1] ** 0.5
        scores = scores.masked_fill(torch.ones(n, n, dtype=torch.bool, device=x.device).triu(1), -torch.inf)
        return (self.dropout(scores.softmax(-1)) @ v).transpose(1, 2).flatten(2)


class CausalAttention(Fused):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, dropout, 1, qkv_bias)

    def forward(self, x):
        return self.attend(x)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList([CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)])

    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], dim=-1)


class MultiHeadAttention(Fused):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__(d_in, d_out, dropout, num_heads, qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, x):
        return self.out_proj(self.attend(x))
