"""One dropout pattern is drawn for each sequence and used for all of its heads.

Shows in training with a dropout between zero and one and two heads or more.
"""
import torch
from torch import nn


class HeadDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.drop = nn.Dropout(p)

    def forward(self, w):
        # (batch, heads, query, key)
        keep = self.drop(torch.ones_like(w[:, :1]))
        return w * keep


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
        self.dropout = HeadDropout(dropout)
        self.register_buffer("mask", torch.full((context_length, context_length), -torch.inf).triu(1))

    def split(self, t):
        return torch.stack(t.chunk(self.num_heads, dim=-1), dim=1)

    def forward(self, x):
        n = x.shape[1]
        q, k, v = self.split(self.W_query(x)), self.split(self.W_key(x)), self.split(self.W_value(x))
        w = (q @ k.mT / q.shape[-1] ** 0.5 + self.mask[:n, :n]).softmax(-1)
        return self.out_proj(torch.cat((self.dropout(w) @ v).unbind(1), dim=-1))
