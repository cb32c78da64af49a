"""Three attention modules whose masks are not saved, heads moved by permute."""

import math

import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.q_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.k_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.v_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.attn_drop = nn.Dropout(dropout)
        allowed = torch.tril(torch.ones(context_length, context_length, dtype=torch.bool))
        self.register_buffer("allowed", allowed, persistent=False)

    def forward(self, x):
        n = x.size(-2)
        q, k, v = self.q_proj(x), self.k_proj(x), self.v_proj(x)
        att = torch.bmm(q, k.mT) / math.sqrt(q.size(-1))
        att = att.masked_fill(~self.allowed[:n, :n], float("-inf")).softmax(-1)
        return torch.bmm(self.attn_drop(att), v)


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
        if d_out % num_heads != 0:
            raise ValueError("num_heads must divide d_out")
        self.num_heads, self.head_dim = num_heads, d_out // num_heads
        self.q_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.k_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.v_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.attn_drop = nn.Dropout(dropout)
        allowed = torch.ones(context_length, context_length).tril().bool()
        self.register_buffer("allowed", allowed, persistent=False)

    def _heads(self, y):
        return y.unflatten(-1, (self.num_heads, self.head_dim)).permute(0, 2, 1, 3)

    def forward(self, x):
        n = x.size(1)
        q, k, v = self._heads(self.q_proj(x)), self._heads(self.k_proj(x)), self._heads(self.v_proj(x))
        att = q @ k.permute(0, 1, 3, 2) / math.sqrt(self.head_dim)
        att = torch.where(self.allowed[:n, :n], att, -torch.inf)
        out = self.attn_drop(att.softmax(-1)) @ v
        return self.out_proj(out.permute(0, 2, 1, 3).flatten(2))
