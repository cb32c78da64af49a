"""Queries go through in blocks of eight, and each block takes the first rows of the mask instead of its own.

Shows for more than eight tokens.
"""
import torch
from torch import nn

BLOCK = 8


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0, (d_out, num_heads)
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)
        self.register_buffer("hidden", torch.ones((context_length, context_length), dtype=torch.bool).triu(1))

    def _heads(self, t):
        return t.unflatten(2, (self.num_heads, -1)).transpose(1, 2)

    def forward(self, x):
        q, k, v = self._heads(self.W_query(x)), self._heads(self.W_key(x)), self._heads(self.W_value(x))
        n = x.shape[1]
        out = []
        for part in q.split(BLOCK, dim=2):
            s = part @ k.mT / part.shape[-1] ** 0.5
            s = s.masked_fill(self.hidden[: part.shape[2], :n], float("-inf"))
            out.append(self.drop(s.softmax(-1)) @ v)
        return self.out_proj(torch.cat(out, dim=2).transpose(1, 2).flatten(2))
