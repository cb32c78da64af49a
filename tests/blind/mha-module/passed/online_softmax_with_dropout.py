"""Blocks of two keys with a running maximum; dropout thins the numerator only, so it acts on the finished weights."""

import torch
from torch import nn


def causal_average(q, k, v, dropout, block=2):
    """(..., tokens, d) three times -> (..., tokens, d), a few keys at a time."""
    tokens = q.shape[-2]
    row = torch.arange(tokens, device=q.device).unsqueeze(-1)
    top = torch.full_like(q[..., :1], torch.finfo(q.dtype).min)
    total, average = torch.zeros_like(top), torch.zeros_like(v)
    for start in range(0, tokens, block):
        column = torch.arange(start, min(start + block, tokens), device=q.device)
        scores = q @ k[..., start : start + block, :].mT / q.shape[-1] ** 0.5
        scores = scores.masked_fill(column > row, -torch.inf)
        new = torch.maximum(top, scores.detach().amax(-1, keepdim=True))
        fade, powers = (top - new).exp(), (scores - new).exp()
        total = total * fade + powers.sum(-1, keepdim=True)
        average = average * fade + dropout(powers) @ v[..., start : start + block, :]
        top = new
    return average / total


class Projections(nn.Module):
    def __init__(self, d_in, d_out, dropout, qkv_bias):
        super().__init__()
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=qkv_bias) for _ in range(3))
        self.dropout = nn.Dropout(dropout)

    def qkv(self, x):
        return self.W_query(x), self.W_key(x), self.W_value(x)


class CausalAttention(Projections):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, dropout, qkv_bias)

    def forward(self, x):
        return causal_average(*self.qkv(x), self.dropout)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList()
        while len(self.heads) < num_heads:
            self.heads.append(CausalAttention(d_in, d_out, context_length, dropout, qkv_bias))

    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], dim=2)


class MultiHeadAttention(Projections):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        if d_out % num_heads:
            raise ValueError("num_heads must divide d_out")
        super().__init__(d_in, d_out, dropout, qkv_bias)
        self.num_heads = num_heads
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, x):
        heads = (t.unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for t in self.qkv(x))
        return self.out_proj(causal_average(*heads, self.dropout).transpose(1, 2).flatten(2))
