"""A loop over the tokens as queries, all heads at once."""

import math

import torch
from torch import nn


class CausalAttention(nn.Module):
    """Works through the queries in blocks; a block never looks at keys behind its last query."""

    BLOCK = 1

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
        self.num_heads = num_heads
        self.heads = nn.ModuleList()
        for i in range(num_heads):
            self.heads.append(CausalAttention(d_in, d_out, context_length, dropout, qkv_bias))

    def forward(self, x):
        outputs = []
        for i in range(self.num_heads):
            out = self.heads[i](x)
            outputs.append(out)
        result = torch.cat(outputs, dim=2)
        return result


class MultiHeadAttention(nn.Module):
    """Token by token: a token only ever meets the keys that exist by then, so nothing has to be hidden."""

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
        parts = []
        for t in range(n):
            past = slice(0, t + 1)
            s = q[:, :, t : t + 1] @ k[:, :, past].transpose(-1, -2) / self.head_dim ** 0.5
            parts.append(self.dropout(s.softmax(-1)) @ v[:, :, past])
        out = torch.cat(parts, dim=2).transpose(1, 2).reshape(b, n, -1)
        return self.out_proj(out)
