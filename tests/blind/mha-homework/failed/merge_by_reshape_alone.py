"""Merges with one reshape.

Idea: The heads are merged by a reshape without being moved back behind the tokens.
Where: only when there is more than one head and more than one token
Id: missing-transpose-back
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
        return t.reshape(t.shape[0], t.shape[2], -1)


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
        q = self.heads.cut(self.W_query(x))
        k = self.heads.cut(self.W_key(x))
        v = self.heads.cut(self.W_value(x))
        a = self.dropout(self.weights(q, k))
        return self.out_proj(self.heads.merge(torch.matmul(a, v)))
