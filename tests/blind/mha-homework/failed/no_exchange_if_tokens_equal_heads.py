"""The exchange of tokens and heads is left out where axis 1 already has the size num_heads.

Shows for as many tokens as heads (two or more).
"""
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.tril(torch.ones(context_length, context_length)) == 0)

    def heads_first(self, t):
        if t.shape[1] != self.num_heads:
            t = t.transpose(1, 2)
        return t

    def forward(self, x):
        b, n, _ = x.shape
        shape = b, n, self.num_heads, self.head_dim
        q = self.heads_first(self.W_query(x).view(shape))
        k = self.heads_first(self.W_key(x).view(shape))
        v = self.heads_first(self.W_value(x).view(shape))
        s = (q @ k.transpose(2, 3) / self.head_dim**0.5).masked_fill(self.mask[:n, :n], -torch.inf)
        y = self.dropout(torch.softmax(s, dim=-1)) @ v
        return self.out_proj(y.transpose(1, 2).reshape(b, n, -1))
