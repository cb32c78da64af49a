"""A loop over heads that pretends to be a map over something else: right numbers, and work that grows with the heads."""

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.width = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def one(self, parts):
        q, k, v = parts
        scores = q @ k.mT / self.width**0.5
        later = torch.ones_like(scores, dtype=torch.bool).triu(1)
        return self.dropout(scores.masked_fill(later, -torch.inf).softmax(-1)) @ v

    def forward(self, x):
        slices = (layer(x).split(self.width, dim=-1) for layer in (self.W_query, self.W_key, self.W_value))
        return self.out_proj(torch.cat(list(map(self.one, zip(*slices, strict=True))), dim=-1))
