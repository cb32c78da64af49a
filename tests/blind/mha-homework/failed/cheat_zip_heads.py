"""A cheat of the seventh corpus: zip heads."""
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.hd = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def single(self, q, k, v):
        t = q.shape[1]
        s = q @ k.mT / self.hd**0.5
        s = s.masked_fill(torch.ones(t, t, dtype=torch.bool, device=q.device).triu(1), -torch.inf)
        return self.dropout(s.softmax(-1)) @ v

    def forward(self, x):
        pieces = (layer(x).split(self.hd, -1) for layer in (self.W_query, self.W_key, self.W_value))
        return self.out_proj(torch.cat([self.single(*qkv) for qkv in zip(*pieces)], dim=-1))
