"""Three attention modules with the nn.Dropout layer held in one place, and log-sum-exp for the softmax."""

import math

import torch
from torch import nn


def _logits(q, k):
    n = q.size(-2)
    pos = torch.arange(n, device=q.device)
    logits = torch.einsum("...id,...jd->...ij", q, k) / math.sqrt(q.size(-1))
    return logits.masked_fill(pos.unsqueeze(0) > pos.unsqueeze(1), float("-inf"))


class _Weights(nn.Module):
    """Attention weights, with dropout on them while training."""

    def __init__(self, p):
        super().__init__()
        self.dropout = nn.Dropout(p)

    def forward(self, q, k):
        logits = _logits(q, k)
        return self.dropout(torch.exp(logits - logits.logsumexp(-1, keepdim=True)))


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, qkv_bias)
        self.weights = _Weights(dropout)

    def forward(self, x):
        return self.weights(self.W_query(x), self.W_key(x)) @ self.W_value(x)


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
        self.head_dim, rest = divmod(d_out, num_heads)
        if rest:
            raise ValueError("d_out must be divisible by num_heads")
        self.W_query = nn.Linear(d_in, d_out, qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.weights = _Weights(dropout)

    def _split(self, y):
        return torch.stack(y.split(self.head_dim, dim=-1), dim=1)

    def forward(self, x):
        q, k, v = self._split(self.W_query(x)), self._split(self.W_key(x)), self._split(self.W_value(x))
        out = self.weights(q, k) @ v
        return self.out_proj(out.transpose(1, 2).flatten(2))
