"""The dropout written by hand divides by 1 - p also where p is one: 0/0.

Shows in training with a dropout of exactly one.
"""
import torch
from einops import rearrange
from torch import nn


class Dropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.p = p

    def forward(self, w):
        if not self.training:
            return w
        keep = (torch.rand_like(w) >= self.p).to(w.dtype)
        return w * keep / torch.tensor(1 - self.p, dtype=w.dtype)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("num_heads must divide d_out")
        self.h = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length).triu(1).bool())

    def forward(self, x):
        n = x.size(1)
        q, k, v = (
            rearrange(f(x), "b n (h d) -> b h n d", h=self.h) for f in (self.W_query, self.W_key, self.W_value)
        )
        s = q @ k.mT / q.shape[-1] ** 0.5
        w = self.dropout(s.masked_fill(self.mask[:n, :n], float("-inf")).softmax(-1))
        return self.out_proj(rearrange(w @ v, "b h n d -> b n (h d)"))
