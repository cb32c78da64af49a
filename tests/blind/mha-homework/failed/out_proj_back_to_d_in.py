"""The output layer leads from d_out back to d_in, as if the result always had the shape of x.

Shows where d_in and d_out differ.
"""
import torch
from einops import rearrange
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("d_out must be divisible by num_heads")
        self.h = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_in)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length).triu(1).bool())

    def forward(self, x):
        n = x.size(1)
        q = rearrange(self.W_query(x), "b n (h d) -> (b h) n d", h=self.h)
        k = rearrange(self.W_key(x), "b n (h d) -> (b h) d n", h=self.h)
        v = rearrange(self.W_value(x), "b n (h d) -> (b h) n d", h=self.h)
        s = torch.bmm(q, k) / q.shape[-1] ** 0.5
        w = self.dropout(s.masked_fill(self.mask[:n, :n], float("-inf")).softmax(-1))
        return self.out_proj(rearrange(torch.bmm(w, v), "(b h) n d -> b n (h d)", h=self.h))
