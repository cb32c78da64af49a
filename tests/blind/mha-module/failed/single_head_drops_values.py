"""A single head with its dropout on the values.

Idea: Dropout falls on the values in place of the weights.
Where: only in training with dropout above 0, in CausalAttention and in the wrapper
"""

import math

import torch
from einops import rearrange
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
        q, k, v = self.W_query(x), self.W_key(x), self.dropout(self.W_value(x))
        n = x.shape[1]
        pieces = []
        for start in range(0, n, self.BLOCK):
            stop = min(start + self.BLOCK, n)
            s = q[:, start:stop] @ k[:, :stop].transpose(1, 2) / math.sqrt(q.shape[-1])
            rows = torch.arange(start, stop, device=x.device).unsqueeze(1)
            cols = torch.arange(stop, device=x.device)
            s = s.masked_fill(cols > rows, -math.inf)
            pieces.append(s.softmax(-1) @ v[:, :stop])
        return torch.cat(pieces, dim=1)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)
        )

    def forward(self, x):
        return rearrange([head(x) for head in self.heads], "h b t d -> b t (h d)")


class MultiHeadAttention(nn.Module):
    # no matmul at all: multiply, then sum (fine for small sizes)
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert not d_out % num_heads
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        b, n, _ = x.shape
        q = self.W_query(x).view(b, n, 1, self.num_heads, -1)
        k = self.W_key(x).view(b, 1, n, self.num_heads, -1)
        v = self.W_value(x).view(b, 1, n, self.num_heads, -1)
        scores = (q * k).sum(-1) / math.sqrt(q.shape[-1])  # (b, query, key, head)
        hidden = torch.ones(n, n, device=x.device).triu(1).bool()
        scores = scores.masked_fill(hidden[:, :, None], -math.inf)
        weights = self.dropout(torch.softmax(scores, dim=2))
        context = (weights.unsqueeze(-1) * v).sum(dim=2)  # (b, query, head, head_dim)
        return self.out_proj(context.flatten(2))
