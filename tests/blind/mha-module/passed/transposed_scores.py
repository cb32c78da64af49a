"""Scores are kept as (keys, queries), and the softmax is over the keys there."""

import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.q_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.k_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.v_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.drop = nn.Dropout(p=dropout)
        self.scale = d_out ** -0.5

    def forward(self, x):
        q, k, v = self.q_proj(x), self.k_proj(x), self.v_proj(x)
        s = torch.einsum("bjd,bid->bji", k, q) * self.scale
        n = x.shape[1]
        hidden = torch.tril(torch.ones(n, n, dtype=torch.bool, device=x.device), diagonal=-1)  # key, query
        s = s.masked_fill(hidden, float("-inf"))
        p = self.drop(s.softmax(dim=1))
        return torch.einsum("bji,bjd->bid", p, v)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        args = (d_in, d_out, context_length, dropout)
        self.heads = nn.ModuleList(CausalAttention(*args, qkv_bias=qkv_bias) for _ in range(num_heads))

    def forward(self, x):
        side_by_side = torch.stack([h(x) for h in self.heads], dim=-2)
        return side_by_side.flatten(-2)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("num_heads must divide d_out")
        self.nh = num_heads
        self.hd = d_out // num_heads
        self.W_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_v = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_o = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        B, T, _ = x.shape
        q = self.W_q(x).reshape(B, T, self.nh, self.hd)
        k = self.W_k(x).reshape(B, T, self.nh, self.hd)
        v = self.W_v(x).reshape(B, T, self.nh, self.hd)
        # the letters do the transposes
        att = torch.einsum("bqhd,bkhd->bhkq", q, k) * self.hd ** -0.5
        att = att.masked_fill(torch.tril(torch.ones(T, T, device=x.device), -1) > 0, float("-inf"))
        att = self.drop(torch.softmax(att, dim=2))
        y = torch.einsum("bhkq,bkhd->bqhd", att, v)
        return self.W_o(y.reshape(B, T, self.nh * self.hd))
