"""The result is squeezed, so that axes of size one vanish.

Shows for a batch of one, a single token, or a d_out of one.
"""
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError(f"d_out ({d_out}) % num_heads ({num_heads}) != 0")
        self.shape = num_heads, d_out // num_heads
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=qkv_bias) for _ in "qkv")
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length, dtype=torch.bool).tril())

    def forward(self, x):
        q = self.W_query(x).unflatten(-1, self.shape)
        k = self.W_key(x).unflatten(-1, self.shape)
        v = self.W_value(x).unflatten(-1, self.shape)
        t = x.shape[1]
        s = torch.einsum("bihd,bjhd->bhij", q, k) / self.shape[1] ** 0.5
        a = self.dropout(torch.softmax(s.where(self.mask[:t, :t], -torch.inf), -1))
        y = torch.einsum("bhij,bjhd->bihd", a, v).flatten(2)
        return self.out_proj(y).squeeze()
