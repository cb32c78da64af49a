"""Recursion on the sequence: the first half of the tokens attends on its own, the second half attends to everything before it with an offset mask."""

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

    def attend(self, q, k, v, start):
        """Tokens start, start + 1, ... (..., n, d), with all keys up to the last of them."""
        n = q.shape[-2]
        if n > 3:
            half = n // 2
            early = self.attend(q[..., :half, :], k, v, start)
            return torch.cat((early, self.attend(q[..., half:, :], k, v, start + half)), dim=-2)
        k, v = k[..., : start + n, :], v[..., : start + n, :]
        allowed = torch.ones(n, start + n, dtype=torch.bool, device=q.device).tril(start)
        scores = torch.where(allowed, q @ k.mT / self.head_dim**0.5, -torch.inf)
        return self.dropout(scores.softmax(-1)) @ v

    def forward(self, x):
        q, k, v = (layer(x).unflatten(-1, (self.num_heads, -1)).swapaxes(1, 2) for layer in (self.W_query, self.W_key, self.W_value))
        return self.out_proj(self.attend(q, k, v, 0).swapaxes(1, 2).flatten(2))
