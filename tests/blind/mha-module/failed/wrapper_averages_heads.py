"""A wrapper that takes the mean of its heads.

Idea: The heads are averaged in place of put side by side.
Where: only when there is more than one head
"""

import math

import torch
from torch import nn


def attention_weights(q, k):
    """Weights of a causal attention; the last two axes are (tokens, width)."""
    n, width = q.shape[-2], q.shape[-1]
    scores = q @ k.transpose(-2, -1) / math.sqrt(width)
    i = torch.arange(n, device=q.device)
    allowed = i[:, None] >= i[None, :]
    scores = torch.where(allowed, scores, torch.full_like(scores, -math.inf))
    return torch.softmax(scores, dim=-1)


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        q = self.W_query(x)
        k = self.W_key(x)
        v = self.W_value(x)
        weights = attention_weights(q, k)
        return self.dropout(weights) @ v


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        args = (d_in, d_out, context_length, dropout)
        self.heads = nn.ModuleList(CausalAttention(*args, qkv_bias=qkv_bias) for _ in range(num_heads))

    def forward(self, x):
        return torch.stack([h(x) for h in self.heads], dim=-2).mean(dim=-2)


class MultiHeadAttention(CausalAttention):
    """A causal head with its width cut into heads, and a projection behind."""

    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        if d_out % num_heads != 0:
            raise ValueError("d_out must be divisible by num_heads")
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.num_heads = num_heads

    def forward(self, x):
        b, n, _ = x.shape
        cut = lambda t: t.reshape(b, n, self.num_heads, -1).permute(0, 2, 1, 3)
        q, k, v = cut(self.W_query(x)), cut(self.W_key(x)), cut(self.W_value(x))
        weights = attention_weights(q, k)
        context = self.dropout(weights) @ v
        return self.out_proj(context.permute(0, 2, 1, 3).reshape(b, n, -1))
