"""The softmax runs over the queries (dim=-2) instead of the keys.

Shows for two tokens or more.
"""
import torch
from einops import rearrange
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("heads do not divide the width")
        self.heads = num_heads
        self.scale = (d_out // num_heads) ** -0.5
        self.to_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_v = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length, dtype=torch.bool).triu(1))

    def forward(self, x):
        n = x.shape[1]
        q, k, v = self.to_q(x), self.to_k(x), self.to_v(x)
        q, k, v = map(lambda t: rearrange(t, "b n (h d) -> b h n d", h=self.heads), (q, k, v))
        dots = torch.einsum("b h i d, b h j d -> b h i j", q, k) * self.scale
        dots = dots.masked_fill(self.mask[:n, :n], -torch.inf)
        attn = self.dropout(dots.softmax(dim=-2))
        out = torch.einsum("b h i j, b h j d -> b h i d", attn, v)
        return self.out_proj(rearrange(out, "b h n d -> b n (h d)"))
