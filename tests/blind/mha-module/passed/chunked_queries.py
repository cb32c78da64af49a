"""Attends for three queries at a time, each block only to the keys that it can see."""

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


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))

    def forward(self, x):
        num_tokens = x.shape[1]
        keys = self.W_key(x)
        queries = self.W_query(x)
        values = self.W_value(x)
        attn_scores = queries @ keys.transpose(1, 2)
        attn_scores.masked_fill_(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
        attn_weights = self.dropout(attn_weights)
        return attn_weights @ values


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
        )

    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], dim=-1)
