"""Masks are cached by length and device in a function with lru_cache."""

import functools
import math

import torch
from torch import nn


def stable_softmax(scores):
    shifted = scores - scores.max(dim=-1, keepdim=True).values
    e = shifted.exp()
    return e / e.sum(dim=-1, keepdim=True)


@functools.lru_cache(maxsize=32)
def later_tokens(n, device):
    with torch.inference_mode(False):
        return torch.ones(n, n, dtype=torch.bool, device=device).triu(1)


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_v = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        Q = self.W_q(x)
        K = self.W_k(x)
        V = self.W_v(x)
        S = Q.matmul(K.permute(0, 2, 1)) / math.sqrt(Q.shape[2])
        S = S.masked_fill(later_tokens(S.shape[-1], S.device), -math.inf)
        A = stable_softmax(S)
        A = self.dropout(A)
        return A.matmul(V)


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
        return t.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)

    def forward(self, x):
        q, k, v = self.split(self.W_query(x)), self.split(self.W_key(x)), self.split(self.W_value(x))
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        n = x.shape[1]
        hidden = later_tokens(n, x.device)
        weights = scores.masked_fill(hidden, -math.inf).softmax(dim=-1)
        context = self.dropout(weights) @ v
        return self.out_proj(context.transpose(1, 2).flatten(2))
