"""One projection to queries, keys and values; the smallest number of the dtype for what is hidden."""

import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.qkv = nn.Linear(d_in, 3 * d_out, bias=qkv_bias)
        self.drop = nn.Dropout(dropout)
        self.register_buffer("allowed", torch.tril(torch.ones(context_length, context_length)), persistent=False)

    def forward(self, x):
        n = x.size(1)
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        scores = q @ k.transpose(-1, -2) * q.size(-1) ** -0.5
        scores = scores.masked_fill(self.allowed[:n, :n] == 0, torch.finfo(scores.dtype).min)
        return self.drop(scores.softmax(-1)) @ v


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
        assert d_out % num_heads == 0
        self.h, self.d = num_heads, d_out // num_heads
        self.qkv = nn.Linear(d_in, 3 * d_out, bias=qkv_bias)
        self.proj = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)
        self.register_buffer("allowed", torch.tril(torch.ones(context_length, context_length)), persistent=False)

    def forward(self, x):
        b, n, _ = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, self.h, self.d).permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-1, -2) * self.d**-0.5
        scores = scores.masked_fill(self.allowed[:n, :n] == 0, torch.finfo(scores.dtype).min)
        context = self.drop(scores.softmax(-1)) @ v
        return self.proj(context.transpose(1, 2).reshape(b, n, -1))
