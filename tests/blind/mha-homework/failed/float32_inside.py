"""Casts x to float32, which a float64 module refuses."""

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    chunk = 3

    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("d_out must be divisible by num_heads")
        self.num_heads, self.head_dim = num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def _heads(self, y):
        return y.unflatten(2, (self.num_heads, self.head_dim)).movedim(1, 2)

    def forward(self, x):
        tokens = x.shape[1]
        x = x.to(torch.float32)
        q, k, v = map(self._heads, (self.W_query(x), self.W_key(x), self.W_value(x)))
        rows = []
        for start in range(0, tokens, self.chunk):
            stop = min(start + self.chunk, tokens)
            scores = q[:, :, start:stop] @ k[:, :, :stop].transpose(2, 3) * self.head_dim**-0.5
            i = torch.arange(start, stop, device=x.device)[:, None]
            j = torch.arange(stop, device=x.device)[None, :]
            weights = torch.softmax(scores.masked_fill(j > i, -torch.inf), -1)
            rows.append(self.dropout(weights) @ v[:, :, :stop])
        context = torch.cat(rows, dim=2)
        return self.out_proj(context.movedim(2, 1).flatten(2))
