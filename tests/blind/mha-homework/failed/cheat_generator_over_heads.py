"""Hides a loop over heads in a generator that zips the pieces of split()."""
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.h = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.d = d_out // num_heads

    def forward(self, x):
        n = x.shape[1]
        hidden = torch.ones(n, n, dtype=torch.bool, device=x.device).triu(1)
        parts = zip(*(f(x).split(self.d, -1) for f in (self.W_query, self.W_key, self.W_value)))
        return self.out_proj(torch.cat([
            self.dropout((q @ k.mT / self.d**0.5).masked_fill(hidden, -torch.inf).softmax(-1)) @ v for q, k, v in parts
        ], -1))
