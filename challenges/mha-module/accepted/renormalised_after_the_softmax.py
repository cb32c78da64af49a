"""Softmax over everything, the later tokens taken away afterwards, and each row divided by what is left of it."""

import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.Wq = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.Wk = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.Wv = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.mask = torch.tril(torch.ones(context_length, context_length, dtype=torch.float64))

    def attend(self, q, k, v):
        tokens = q.shape[-2]
        scores = (q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5).double()
        keep = self.mask[:tokens, :tokens]
        highest = scores.masked_fill(keep == 0, -torch.inf).amax(-1, keepdim=True)
        weights = torch.exp((scores - highest).clamp(max=0.0)) * keep
        weights = (weights / weights.sum(dim=-1, keepdim=True)).to(q.dtype)
        return self.dropout(weights) @ v

    def forward(self, x):
        return self.attend(self.Wq(x), self.Wk(x), self.Wv(x))


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias=qkv_bias) for _ in range(num_heads)]
        )

    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], dim=-1)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0, "heads must share d_out evenly"
        self.inner = CausalAttention(d_in, d_out, context_length, dropout, qkv_bias)
        self.num_heads = num_heads
        self.combine = nn.Linear(d_out, d_out)

    def forward(self, x):
        split = [
            layer(x).reshape(x.shape[0], x.shape[1], self.num_heads, -1).transpose(1, 2)
            for layer in (self.inner.Wq, self.inner.Wk, self.inner.Wv)
        ]
        return self.combine(self.inner.attend(*split).transpose(1, 2).reshape(x.shape[0], x.shape[1], -1))
