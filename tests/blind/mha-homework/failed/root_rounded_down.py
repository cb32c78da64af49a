"""The square root of head_dim is cut to a whole number before the division.

Shows for a head_dim that is no square number, such as 2, 3 or 8, and two tokens or more.
"""
import math

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("d_out is not a multiple of num_heads")
        self.num_heads = num_heads
        self.divisor = math.isqrt(d_out // num_heads)
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length, dtype=torch.bool).triu(1))

    def forward(self, x):
        def heads(t):
            return t.unflatten(2, (self.num_heads, -1)).transpose(1, 2)

        q, k, v = heads(self.W_query(x)), heads(self.W_key(x)), heads(self.W_value(x))
        n = x.shape[1]
        s = torch.matmul(q / self.divisor, k.mT)
        s = s.masked_fill(self.mask[:n, :n], -torch.inf)
        w = self.dropout(torch.softmax(s, -1))
        return self.out_proj(torch.matmul(w, v).transpose(1, 2).flatten(2))
