"""The layer out_proj is made but never used: the merged heads are returned.

Shows for all inputs.
"""
import torch
from torch import nn


def split(t, heads):
    b, n, c = t.shape
    return t.reshape(b, n, heads, c // heads).transpose(1, 2).reshape(b * heads, n, c // heads)


def join(t, heads):
    bh, n, d = t.shape
    return t.reshape(bh // heads, heads, n, d).transpose(1, 2).reshape(bh // heads, n, heads * d)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        assert d_out % num_heads == 0
        super().__init__()
        self.num_heads = num_heads
        self.alpha = (d_out // num_heads) ** -0.5
        for name in ("W_query", "W_key", "W_value"):
            setattr(self, name, nn.Linear(d_in, d_out, bias=qkv_bias))
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(p=dropout)
        self.register_buffer("M", torch.full((context_length, context_length), float("-inf")).triu(1))

    def forward(self, x):
        n, h = x.shape[1], self.num_heads
        q, k, v = split(self.W_query(x), h), split(self.W_key(x), h), split(self.W_value(x), h)
        scores = torch.baddbmm(self.M[:n, :n].to(q.dtype), q, k.transpose(1, 2), alpha=self.alpha)
        weights = self.dropout(scores.softmax(dim=2))
        return join(torch.bmm(weights, v), h)
