"""Adds a registered triangle of minus infinities that is not saved."""

import math

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise AssertionError("d_out % num_heads must be 0")
        self.n_head, self.head_dim = num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.attn_dropout = nn.Dropout(dropout)
        bias = torch.full((context_length, context_length), -math.inf).triu(1)
        self.register_buffer("bias", bias, persistent=False)

    def forward(self, x):
        B, T, _ = x.shape
        shape = (B, T, self.n_head, self.head_dim)
        q = self.W_query(x).reshape(shape).permute(0, 2, 1, 3)
        k = self.W_key(x).reshape(shape).permute(0, 2, 3, 1)
        v = self.W_value(x).reshape(shape).permute(0, 2, 1, 3)
        att = torch.matmul(q, k).div(math.sqrt(self.head_dim)) + self.bias[:T, :T].to(q.dtype)
        att = self.attn_dropout(torch.nn.functional.softmax(att, dim=-1))
        y = torch.matmul(att, v).permute(0, 2, 1, 3).reshape(B, T, -1)
        return self.out_proj(y)


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super(CausalAttention, self).__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer(
            "causal", torch.tril(torch.ones(context_length, context_length)).bool()[None], persistent=False
        )

    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        s = torch.matmul(q, torch.transpose(k, -2, -1))
        s = s / (k.size(2) ** 0.5)
        s = torch.where(self.causal[:, :t, :t], s, torch.tensor(float("-inf"), dtype=s.dtype, device=s.device))
        a = torch.exp(s - torch.logsumexp(s, dim=-1, keepdim=True))
        return torch.matmul(self.dropout(a), v)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super(MultiHeadAttentionWrapper, self).__init__()
        heads = []
        for i in range(num_heads):
            heads.append(CausalAttention(d_in, d_out, context_length, dropout, qkv_bias))
        self.heads = nn.ModuleList(heads)
        self.d_out = d_out

    def forward(self, x):
        parts = tuple(map(lambda head: head(x), self.heads))
        return torch.concatenate(parts, axis=-1)
