"""Reaches the library's attention through operator.attrgetter with a dotted name from pieces."""
import operator

import torch
from torch import nn

_path = ".".join(["nn", "functional", "scaled" + "_dot_" + "product_" + "attention"])
_weighted = operator.attrgetter(_path)(torch)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.h = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        q, k, v = (f(x).unflatten(2, (self.h, -1)).transpose(1, 2) for f in (self.W_query, self.W_key, self.W_value))
        p = self.dropout.p if self.training else 0.0
        return self.out_proj(_weighted(q, k, v, None, p, True).transpose(1, 2).flatten(2))
