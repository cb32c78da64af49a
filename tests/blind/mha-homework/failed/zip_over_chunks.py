"""A generator that zips chunks of queries, keys and values.

Idea: A generator goes through the heads one by one.
Where: everywhere
Rule: no-loop-over-heads
"""

import math

import torch
from torch import nn


class Heads:
    """Knows how to cut features into heads and to merge them again."""

    def __init__(self, count, width):
        if width % count != 0:
            raise ValueError(f"{width} % {count} is not 0")
        self.count = count
        self.size = width // count

    def cut(self, t):
        return torch.stack(t.chunk(self.count, dim=-1), dim=-2).transpose(-3, -2)

    def merge(self, t):
        return t.transpose(-3, -2).flatten(start_dim=-2)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = Heads(num_heads, d_out)
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def weights(self, q, k):
        s = torch.matmul(q, k.transpose(-2, -1)).div(self.heads.size**0.5)
        s = s + torch.full(s.shape[-2:], -math.inf, dtype=s.dtype, device=s.device).triu(1)
        return torch.exp(s - s.logsumexp(dim=-1, keepdim=True))

    def forward(self, x):
        chunks = zip(*(layer(x).split(self.heads.size, -1) for layer in (self.W_query, self.W_key, self.W_value)))
        done = (torch.matmul(self.dropout(self.weights(q, k)), v) for q, k, v in chunks)
        return self.out_proj(torch.cat(list(done), dim=-1))
