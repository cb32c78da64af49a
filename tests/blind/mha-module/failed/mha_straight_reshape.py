"""MultiHeadAttention that cuts straight to four axes.

Idea: The features are reshaped straight to (batch, heads, tokens, head_dim), which mixes tokens and features.
Where: only when there is more than one head and more than one token
Id: reshape-before-transpose
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
        self.heads = nn.ModuleList(
            [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
        )

    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], dim=-1)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError(f"{d_out=} is no multiple of {num_heads=}")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def split(self, t):
        return t.reshape(t.shape[0], self.num_heads, t.shape[1], -1)

    def forward(self, x):
        q, k, v = self.split(self.W_query(x)), self.split(self.W_key(x)), self.split(self.W_value(x))
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        n = x.shape[1]
        hidden = torch.ones(n, n, dtype=torch.bool, device=x.device).triu(1)
        weights = scores.masked_fill(hidden, -math.inf).softmax(dim=-1)
        context = self.dropout(weights) @ v
        return self.out_proj(context.transpose(1, 2).flatten(2))
