"""A right answer of the seventh corpus."""
import math

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    BLOCK = 4

    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.head_dim, remainder = divmod(d_out, num_heads)
        if remainder != 0:
            raise ValueError(f"{d_out} features cannot be shared by {num_heads} heads")
        self.num_heads = num_heads
        self.context_length = context_length
        for name in ("W_query", "W_key", "W_value"):
            setattr(self, name, nn.Linear(d_in, d_out, bias=qkv_bias))
        self.out_proj = nn.Linear(d_out, d_out)
        self.attn_dropout = nn.Dropout(dropout)

    def split(self, y):
        return y.unflatten(-1, (self.num_heads, self.head_dim)).transpose(-3, -2)

    def blocks(self, q, k, v):
        tokens = q.shape[-2]
        for start in range(0, tokens, self.BLOCK):
            stop = min(start + self.BLOCK, tokens)
            s = q[..., start:stop, :] @ k[..., :stop, :].mT / math.sqrt(self.head_dim)
            rows = torch.arange(start, stop, device=q.device).unsqueeze(1)
            cols = torch.arange(stop, device=q.device)
            s = s.masked_fill(cols > rows, -math.inf)
            yield self.attn_dropout(s.softmax(-1)) @ v[..., :stop, :]

    def forward(self, x):
        if x.shape[-2] > self.context_length:
            raise ValueError("sequence too long")
        out = torch.cat(list(self.blocks(*map(self.split, (self.W_query(x), self.W_key(x), self.W_value(x))))), dim=-2)
        return self.out_proj(out.transpose(-3, -2).flatten(-2))
