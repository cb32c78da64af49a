"""Drops features of the result.

Idea: Dropout falls on the merged heads in place of the weights.
Where: only in training with dropout above 0
"""

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    """Features are the second axis here, (batch, d_out, tokens), so that one view is enough to cut the heads."""

    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def columns(self, layer, x):
        y = layer(x).transpose(1, 2).contiguous()
        return y.view(x.shape[0], self.num_heads, self.head_dim, x.shape[1])

    def forward(self, x):
        b, n, _ = x.shape
        q, k, v = self.columns(self.W_query, x), self.columns(self.W_key, x), self.columns(self.W_value, x)
        scores = q.transpose(2, 3) @ k / self.head_dim**0.5
        i = torch.arange(n, device=x.device)
        scores = scores.masked_fill(i.view(1, n) > i.view(n, 1), -torch.inf)
        weights = torch.log_softmax(scores, dim=-1).exp()
        context = v @ weights.transpose(2, 3)  # (b, heads, head_dim, tokens)
        context = context.reshape(b, self.num_heads * self.head_dim, n).transpose(1, 2)
        return self.out_proj(self.dropout(context))
