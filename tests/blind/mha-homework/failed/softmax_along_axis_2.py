"""Names the axis of the softmax by number and misses.

Idea: The softmax runs over the queries in place of the keys.
Where: only when there is more than one token
Id: softmax-dim
"""

import math

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        head_dim, rest = divmod(d_out, num_heads)
        if rest:
            raise ValueError(f"{d_out} features for {num_heads} heads leave {rest}")
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.cut = nn.Unflatten(2, (num_heads, head_dim))
        self.merge = nn.Flatten(2)
        self.softmax = nn.Softmax(dim=2)
        self.dropout = nn.Dropout(dropout)
        self.scale = 1 / math.sqrt(head_dim)
        self.register_buffer("mask", torch.zeros(context_length, context_length).masked_fill_(
            torch.ones(context_length, context_length).triu_(1).bool(), -math.inf))

    def forward(self, x):
        tokens = x.size(1)
        q = self.cut(self.W_query(x)).transpose(1, 2)
        k = self.cut(self.W_key(x)).transpose(1, 2)
        v = self.cut(self.W_value(x)).transpose(1, 2)
        scores = q.mul(self.scale).matmul(k.transpose(-1, -2))
        scores.add_(self.mask[:tokens, :tokens])
        weights = self.dropout(self.softmax(scores))
        heads = weights.matmul(v).transpose(1, 2)
        return self.out_proj(self.merge(heads))
