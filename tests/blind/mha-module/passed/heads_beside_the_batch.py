"""Folds heads into the batch and multiplies with baddbmm, whose first argument is the additive mask."""

import torch
from torch import nn


def triangle(tokens, like):
    """Zeros on and below the diagonal, minus infinity above it."""
    return torch.full((tokens, tokens), -torch.inf, dtype=like.dtype, device=like.device).triu(1)


def attend(q, k, v, dropout):
    scores = torch.baddbmm(triangle(q.shape[1], q), q, k.transpose(1, 2), alpha=q.shape[2] ** -0.5)
    return torch.bmm(dropout(torch.softmax(scores, dim=2)), v)


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(p=dropout)

    def forward(self, x):
        return attend(self.W_query(x), self.W_key(x), self.W_value(x), self.dropout)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        heads = [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
        self.heads = nn.ModuleList(heads)

    def forward(self, x):
        result = [head(x) for head in self.heads]
        return torch.concatenate(result, dim=2)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("d_out must be divisible by num_heads")
        self.num_heads, self.head_dim = num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(p=dropout)

    def fold(self, x):
        b, t, _ = x.shape
        return x.reshape(b, t, self.num_heads, self.head_dim).transpose(1, 2).reshape(-1, t, self.head_dim)

    def unfold(self, x, b):
        return x.reshape(b, self.num_heads, -1, self.head_dim).transpose(1, 2).reshape(b, x.shape[1], -1)

    def forward(self, x):
        q, k, v = self.fold(self.W_query(x)), self.fold(self.W_key(x)), self.fold(self.W_value(x))
        return self.out_proj(self.unfold(attend(q, k, v, self.dropout), len(x)))
