"""MultiHeadAttention that checks the wrong width.

Idea: It checks that num_heads divides d_in in place of d_out.
Where: only when num_heads divides just one of d_in and d_out
Rule: divisibility-checked
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
        self.register_buffer("hide", torch.ones(context_length, context_length).triu(1).bool())

    def forward(self, x):
        n = x.size(1)
        q = self.W_query(x) / math.sqrt(self.W_query.out_features)
        scores = q @ self.W_key(x).swapaxes(-1, -2)
        scores = torch.where(self.hide[:n, :n], torch.finfo(scores.dtype).min, scores)
        return self.dropout(torch.softmax(scores, -1)) @ self.W_value(x)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
        )

    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], dim=-1)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_in % num_heads:
            raise ValueError(f"{d_in=} is no multiple of {num_heads=}")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def split(self, t):
        return t.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)

    def forward(self, x):
        q, k, v = self.split(self.W_query(x)), self.split(self.W_key(x)), self.split(self.W_value(x))
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        n = x.shape[1]
        hidden = torch.ones(n, n, dtype=torch.bool, device=x.device).triu(1)
        weights = scores.masked_fill(hidden, -math.inf).softmax(dim=-1)
        context = self.dropout(weights) @ v
        return self.out_proj(context.transpose(1, 2).flatten(2))
