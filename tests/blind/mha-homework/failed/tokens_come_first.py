"""The input is read as (tokens, batch, features), the default order of many PyTorch layers.

Shows for a batch or a sequence of two or more.
"""
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0, "d_out has to be a multiple of num_heads"
        self.nh = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length, dtype=torch.bool).triu(1))

    def forward(self, x):
        L, N, _ = x.shape
        q = self.W_query(x).reshape(L, N, self.nh, -1)
        k = self.W_key(x).reshape(L, N, self.nh, -1)
        v = self.W_value(x).reshape(L, N, self.nh, -1)
        s = torch.einsum("inhd,jnhd->nhij", q, k) / q.shape[-1] ** 0.5
        s = s.masked_fill(self.mask[:L, :L], float("-inf"))
        w = self.dropout(torch.softmax(s, dim=-1))
        y = torch.einsum("nhij,jnhd->inhd", w, v).reshape(L, N, -1)
        return self.out_proj(y)
