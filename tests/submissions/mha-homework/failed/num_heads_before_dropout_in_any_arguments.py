"""The source does not tell the order, calls by position do: the number of heads before the dropout.
Says: failing tests stop there
"""

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, *args, **kwargs):
        super().__init__()
        self._make(*args, **kwargs)

    def _make(self, d_in, d_out, context_length, num_heads, dropout, qkv_bias=False):
        assert d_out % num_heads == 0, "num_heads must divide d_out"
        self.d_out = d_out
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))

    def forward(self, x):
        b, num_tokens, _ = x.shape
        shape = (b, num_tokens, self.num_heads, self.head_dim)
        Q = self.W_query(x).view(shape).transpose(1, 2)
        K = self.W_key(x).view(shape).transpose(1, 2)
        V = self.W_value(x).view(shape).transpose(1, 2)
        scores = Q @ K.transpose(2, 3)
        scores = scores.masked_fill(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
        scores = scores / self.head_dim**0.5
        weights = self.dropout(torch.softmax(scores, dim=-1))
        context = (weights @ V).transpose(1, 2)
        return self.out_proj(context.contiguous().view(b, num_tokens, self.d_out))
