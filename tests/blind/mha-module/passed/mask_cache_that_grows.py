"""Three attention modules that share a mask cached per length, device and nothing else."""

from functools import lru_cache

import torch
from torch import nn


@lru_cache(maxsize=64)
def later_tokens(n, device):
    with torch.inference_mode(False):
        return torch.triu(torch.ones(n, n, dtype=torch.bool, device=device), diagonal=1)


class CausalAttention(nn.Module):
    """One head."""

    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        assert context_length >= 1
        self.context_length = context_length
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        assert x.dim() == 3 and x.shape[1] <= self.context_length
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = q @ k.transpose(-1, -2) / k.shape[-1] ** 0.5
        scores = scores.masked_fill(later_tokens(x.shape[1], x.device), -torch.inf)
        return self.dropout(scores.softmax(-1)) @ v


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
        )

    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], dim=-1)


class MultiHeadAttention(nn.Module):
    """All heads at once."""

    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        q, k, v = (
            layer(x).unflatten(-1, (self.num_heads, -1)).swapaxes(1, 2)
            for layer in (self.W_query, self.W_key, self.W_value)
        )
        scores = q @ k.swapaxes(2, 3) / k.shape[-1] ** 0.5
        scores = scores.masked_fill(later_tokens(x.shape[1], x.device), -torch.inf)
        return self.out_proj((self.dropout(scores.softmax(-1)) @ v).swapaxes(1, 2).flatten(2))
