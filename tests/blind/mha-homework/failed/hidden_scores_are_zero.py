"""Hides by filling in zero.

Idea: Hidden scores are zero before the softmax in place of minus infinity.
Where: only when there is more than one token
Id: causal-mask
"""

import functools
import math

import torch
from torch import nn


def keeps_tokens(forward):
    """Checks that batch and tokens come out as they went in."""

    @functools.wraps(forward)
    def checked(self, x):
        y = forward(self, x)
        assert y.shape[:2] == x.shape[:2], (y.shape, x.shape)
        return y

    return checked


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads > 0:
            raise ValueError
        self.h = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.tril(torch.ones(1, 1, context_length, context_length)))

    @property
    def d_k(self):
        return self.W_key.out_features // self.h

    @keeps_tokens
    def forward(self, x):
        nbatches, n = x.size(0), x.size(1)
        query, key, value = [
            lin(x).view(nbatches, -1, self.h, self.d_k).transpose(1, 2)
            for lin in (self.W_query, self.W_key, self.W_value)
        ]
        scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(self.d_k)
        scores = scores.masked_fill(self.mask[:, :, :n, :n] == 0, 0.0)
        p_attn = self.dropout(scores.softmax(dim=-1))
        y = torch.matmul(p_attn, value)
        y = y.transpose(1, 2).contiguous().view(nbatches, -1, self.h * self.d_k)
        return self.out_proj(y)
