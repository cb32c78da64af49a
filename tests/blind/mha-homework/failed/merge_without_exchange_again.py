"""The heads are merged by a reshape without exchanging heads and tokens back first.

Shows for two heads or more and two tokens or more.
"""
import torch
from torch import nn


def split(t, heads):
    b, n, c = t.shape
    return t.reshape(b, n, heads, c // heads).transpose(1, 2)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        assert d_out % num_heads == 0
        super().__init__()
        self.num_heads = num_heads
        self.q_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.k_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.v_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("causal", torch.full((context_length, context_length), float("-inf")).triu(1))

    def forward(self, x):
        b, n, _ = x.shape
        q, k, v = (split(f(x), self.num_heads) for f in (self.q_proj, self.k_proj, self.v_proj))
        s = q @ k.mT * q.shape[-1] ** -0.5 + self.causal[:n, :n]
        w = self.dropout(s.softmax(-1))
        return self.out_proj((w @ v).reshape(b, n, -1))
