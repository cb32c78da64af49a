"""Dropout falls on the result of out_proj instead of on the attention weights.

Shows in training with a dropout above zero.
"""
import torch
from torch import nn


class SplitHeads(nn.Module):
    def __init__(self, num_heads):
        super().__init__()
        self.num_heads = num_heads

    def forward(self, t):
        return torch.stack(t.chunk(self.num_heads, dim=-1), dim=1)


class MergeHeads(nn.Module):
    def forward(self, t):
        return torch.cat(t.unbind(dim=1), dim=-1)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("num_heads must divide d_out")
        self.scale = (d_out // num_heads) ** -0.5
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length, dtype=torch.bool).triu(1))
        self.split, self.merge = SplitHeads(num_heads), MergeHeads()

    def forward(self, x):
        n = x.shape[1]
        q, k, v = self.split(self.W_query(x)), self.split(self.W_key(x)), self.split(self.W_value(x))
        s = (q @ k.mT * self.scale).masked_fill(self.mask[:n, :n], float("-inf"))
        y = self.merge(s.softmax(-1) @ v)
        return self.dropout(self.out_proj(y))
