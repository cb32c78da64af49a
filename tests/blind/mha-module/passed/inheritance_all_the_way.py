"""MultiHeadAttention is a CausalAttention with more heads: one forward pass serves both, with the number of heads as a class attribute."""

import math

import torch
from torch import nn


class CausalAttention(nn.Module):
    num_heads = 1

    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        for name in ("W_query", "W_key", "W_value"):
            setattr(self, name, nn.Linear(d_in, d_out, bias=qkv_bias))
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length).triu(1).bool(), persistent=False)

    def split(self, x):
        return x.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)

    def finish(self, merged):
        return merged

    def forward(self, x):
        tokens = x.shape[1]
        q, k, v = self.split(self.W_query(x)), self.split(self.W_key(x)), self.split(self.W_value(x))
        scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(self.mask[:tokens, :tokens], -math.inf)
        return self.finish((self.dropout(torch.softmax(scores, -1)) @ v).transpose(1, 2).flatten(2))


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList([CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)])

    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], -1)


class MultiHeadAttention(CausalAttention):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias)
        assert d_out % num_heads == 0, "num_heads must divide d_out"
        self.num_heads = num_heads
        self.out_proj = nn.Linear(d_out, d_out)

    def finish(self, merged):
        return self.out_proj(merged)
