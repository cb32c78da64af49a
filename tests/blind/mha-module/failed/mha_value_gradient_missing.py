"""MultiHeadAttention that detaches its values.

Idea: The values are detached, so W_value gets no gradient.
Where: only the gradient of x and W_value
Id: detached-gradient
"""

import math

import torch
from torch import nn


class CausalAttention(nn.Module):
    """Works through the queries in blocks; a block never looks at keys behind its last query."""

    BLOCK = 4

    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        n = x.shape[1]
        pieces = []
        for start in range(0, n, self.BLOCK):
            stop = min(start + self.BLOCK, n)
            s = q[:, start:stop] @ k[:, :stop].transpose(1, 2) / math.sqrt(q.shape[-1])
            rows = torch.arange(start, stop, device=x.device).unsqueeze(1)
            cols = torch.arange(stop, device=x.device)
            s = s.masked_fill(cols > rows, -math.inf)
            pieces.append(self.dropout(s.softmax(-1)) @ v[:, :stop])
        return torch.cat(pieces, dim=1)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.width = d_out
        self.heads = nn.ModuleList(
            [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
        )

    def forward(self, x):
        b, t, _ = x.shape
        out = x.new_empty(b, t, self.width * len(self.heads))
        for h, head in enumerate(self.heads):
            out[:, :, h * self.width : (h + 1) * self.width] = head(x)
        return out


class MultiHeadAttention(nn.Module):
    """All heads at once, the queries three at a time (saves memory for long texts)."""

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

    def forward(self, x):
        b, n, _ = x.shape
        shape = (b, n, self.num_heads, self.head_dim)
        q = self.W_query(x).view(shape).transpose(1, 2)
        k = self.W_key(x).view(shape).transpose(1, 2)
        v = self.W_value(x).view(shape).transpose(1, 2)
        key_pos = torch.arange(n, device=x.device)
        parts = []
        for query_pos in key_pos.split(3):
            s = q[:, :, query_pos] @ k.transpose(-1, -2) / self.head_dim ** 0.5
            s = s.masked_fill(key_pos > query_pos[:, None], -torch.inf)
            parts.append(self.dropout(s.softmax(-1)) @ v.detach())
        out = torch.cat(parts, dim=2).transpose(1, 2).reshape(b, n, -1)
        return self.out_proj(out)
