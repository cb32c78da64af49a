"""The layer out_proj has a bias only where qkv_bias is True.

Shows where qkv_bias is False or left out.
"""
from functools import partial

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("d_out % num_heads != 0")
        linear = partial(nn.Linear, out_features=d_out, bias=qkv_bias)
        self.W_query = linear(d_in)
        self.W_key = linear(d_in)
        self.W_value = linear(d_in)
        self.out_proj = linear(d_out)
        self.num_heads = num_heads
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length, dtype=torch.bool).triu(1))

    def forward(self, x):
        def heads(t):
            return t.unflatten(-1, (self.num_heads, -1)).movedim(2, 1)

        q, k, v = heads(self.W_query(x)), heads(self.W_key(x)), heads(self.W_value(x))
        n = x.shape[1]
        s = q @ k.movedim(-1, -2) / q.shape[-1] ** 0.5
        w = s.masked_fill(self.mask[:n, :n], float("-inf")).softmax(-1)
        return self.out_proj((self.dropout(w) @ v).movedim(1, 2).flatten(2))
