"""Keeps the heads on the last axis from beginning to end: scores are (batch, queries, keys, heads) and softmax runs over axis 2."""

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("num_heads must divide d_out")
        self.num_heads, self.head_dim = num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        q = self.W_query(x).unflatten(-1, (self.num_heads, self.head_dim))
        k = self.W_key(x).unflatten(-1, (self.num_heads, self.head_dim))
        v = self.W_value(x).unflatten(-1, (self.num_heads, self.head_dim))
        scores = (q[:, :, None] * k[:, None]).sum(-1) / self.head_dim**0.5
        tokens = x.shape[1]
        hidden = torch.ones(tokens, tokens, 1, dtype=torch.bool, device=x.device)
        hidden[:, :, 0] = torch.triu(hidden[:, :, 0].clone(), diagonal=1)
        weights = self.dropout(torch.softmax(scores.masked_fill(hidden, -torch.inf), dim=2))
        return self.out_proj((weights[..., None] * v[:, None]).sum(2).flatten(2))
