"""One function for one head, mapped over all heads at once by torch.vmap."""

import torch
from torch import nn


def scores_of(q, k):
    """(batch, tokens, width) twice -> hidden and scaled scores (batch, tokens, tokens)."""
    n, width = q.shape[-2:]
    keep = torch.tril(torch.ones(n, n, dtype=torch.bool, device=q.device))
    return (q @ k.transpose(-2, -1) / width**0.5).masked_fill(~keep, -torch.inf)


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_in, d_out, bias=qkv_bias) for _ in range(3))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        w = torch.softmax(scores_of(self.W_q(x), self.W_k(x)), -1)
        return self.dropout(w) @ self.W_v(x)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)
        )

    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], -1)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0, "heads must share d_out evenly"
        self.num_heads = num_heads
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_in, d_out, bias=qkv_bias) for _ in range(3))
        self.W_o = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        def split(t):
            return t.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)

        q, k, v = split(self.W_q(x)), split(self.W_k(x)), split(self.W_v(x))
        w = torch.softmax(torch.vmap(scores_of, in_dims=1, out_dims=1)(q, k), -1)
        z = torch.vmap(torch.matmul, in_dims=1, out_dims=2)(self.dropout(w), v)
        return self.W_o(z.flatten(-2))
