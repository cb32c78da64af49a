"""A single head that looks to the future.

Idea: Earlier tokens are hidden and later ones are seen.
Where: only when there is more than one token, in CausalAttention and in the wrapper
Id: mask-inverted
"""

import functools
import math

import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        make = functools.partial(nn.Linear, d_in, d_out, bias=qkv_bias)
        self.W_query, self.W_key, self.W_value = make(), make(), make()
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("hide", torch.ones(context_length, context_length).tril(-1).bool())

    def forward(self, x):
        n = x.size(1)
        q = self.W_query(x) / math.sqrt(self.W_query.out_features)
        scores = q @ self.W_key(x).swapaxes(-1, -2)
        scores = torch.where(self.hide[:n, :n], torch.finfo(scores.dtype).min, scores)
        return self.dropout(torch.softmax(scores, -1)) @ self.W_value(x)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        new_head = functools.partial(CausalAttention, d_in, d_out, context_length, dropout, qkv_bias)
        self.heads = nn.ModuleList([new_head() for _ in range(num_heads)])

    def forward(self, x):
        return torch.concat(tuple(map(lambda head: head(x), self.heads)), -1)


class MultiHeadAttention(nn.Module):
    # heads first: (heads, batch, tokens, head_dim)
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0, (d_out, num_heads)
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("later", torch.ones(context_length, context_length, dtype=torch.bool).triu(1), persistent=False)

    def forward(self, x):
        n = x.shape[1]
        q, k, v = (
            layer(x).unflatten(2, (self.num_heads, -1)).movedim(2, 0)
            for layer in (self.W_query, self.W_key, self.W_value)
        )
        s = torch.matmul(q / q.shape[-1] ** 0.5, k.movedim(-1, -2))
        s.masked_fill_(self.later[:n, :n], -torch.inf)
        c = self.dropout(s.softmax(-1)) @ v
        return self.out_proj(c.movedim(0, 2).flatten(2, 3))
