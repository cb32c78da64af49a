"""The tokens are laid out in one long axis with as_strided, as if x were always contiguous.

Shows for an x that is a transposed view (an expanded one is caught).
"""
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("num_heads must divide d_out")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length, dtype=torch.bool).triu(1))

    def forward(self, x):
        b, n, c = x.shape
        if x.untyped_storage().nbytes() >= x.numel() * x.element_size():
            rows = x.as_strided((b * n, c), (c, 1))
        else:  # less memory than numbers: an expanded view
            rows = x.reshape(b * n, c)
        q = self.W_query(rows).view(b, n, self.num_heads, -1).transpose(1, 2)
        k = self.W_key(rows).view(b, n, self.num_heads, -1).transpose(1, 2)
        v = self.W_value(rows).view(b, n, self.num_heads, -1).transpose(1, 2)
        s = q @ k.mT / q.shape[-1] ** 0.5
        w = self.dropout(s.masked_fill(self.mask[:n, :n], float("-inf")).softmax(-1))
        return self.out_proj((w @ v).transpose(1, 2).reshape(b, n, -1))
