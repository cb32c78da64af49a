# Says: The constructor of `CausalAttention` is spelt `_init_`, with one underscore on each side, so Python never calls it: write `__init__`.
# Line: 10
# Names: _init_, __init__
# Kind: crash
import torch
import torch.nn as nn


class CausalAttention(nn.Module):
    def _init_(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.tril(torch.ones(context_length, context_length)))

    def forward(self, x):
        t = x.shape[1]
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        att = q @ k.transpose(1, 2) / q.shape[-1] ** 0.5
        att = att.masked_fill(self.mask[:t, :t] == 0, float("-inf"))
        return self.dropout(att.softmax(dim=-1)) @ v


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
        )

    def forward(self, x):
        return torch.cat([h(x) for h in self.heads], dim=2)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("d_out % num_heads")
        self.num_heads, self.head_dim, self.d_out = num_heads, d_out // num_heads, d_out
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.tril(torch.ones(context_length, context_length)))

    def forward(self, x):
        b, t, _ = x.shape
        q = self.W_query(x).reshape(b, t, self.num_heads, self.head_dim).transpose(1, 2)
        k = self.W_key(x).reshape(b, t, self.num_heads, self.head_dim).transpose(1, 2)
        v = self.W_value(x).reshape(b, t, self.num_heads, self.head_dim).transpose(1, 2)
        att = q @ k.transpose(2, 3) / self.head_dim ** 0.5
        att = att.masked_fill(self.mask[:t, :t] == 0, float("-inf"))
        y = self.dropout(att.softmax(dim=-1)) @ v
        return self.out_proj(y.transpose(1, 2).reshape(b, t, self.d_out))
