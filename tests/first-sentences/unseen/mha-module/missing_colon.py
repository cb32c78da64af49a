# Says: The colon is missing at the end of `class MultiHeadAttentionWrapper(nn.Module)`, so Python cannot read the file.
# Line: 26
# Names: colon, MultiHeadAttentionWrapper
# Kind: refused
import torch
import torch.nn as nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))

    def forward(self, x):
        n = x.size(1)
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        s = torch.bmm(q, k.transpose(1, 2)) / k.size(-1) ** 0.5
        s = s.masked_fill(self.mask.bool()[:n, :n], float("-inf"))
        return torch.bmm(self.dropout(s.softmax(dim=-1)), v)


class MultiHeadAttentionWrapper(nn.Module)
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList([CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)])

    def forward(self, x):
        return torch.cat([h(x) for h in self.heads], dim=-1)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))

    def forward(self, x):
        b, n, _ = x.shape
        q = self.W_query(x).reshape(b, n, self.num_heads, self.head_dim).transpose(1, 2)
        k = self.W_key(x).reshape(b, n, self.num_heads, self.head_dim).transpose(1, 2)
        v = self.W_value(x).reshape(b, n, self.num_heads, self.head_dim).transpose(1, 2)
        s = q @ k.transpose(-2, -1) / self.head_dim ** 0.5
        s = s.masked_fill(self.mask.bool()[:n, :n], float("-inf"))
        y = self.dropout(s.softmax(dim=-1)) @ v
        return self.out_proj(y.transpose(1, 2).reshape(b, n, -1))
