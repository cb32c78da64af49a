"""Hidden scores become zero before the softmax, so later tokens still count."""
# expect: hidden scores become zero
import torch
from torch import nn


def attention(q, k, v, dropout):
    q, k, v = q.double(), k.double(), v.double()
    n = q.shape[-2]
    scores = q @ k.mT / q.shape[-1] ** 0.5
    scores = scores.masked_fill(torch.ones(n, n, dtype=torch.bool, device=q.device).triu(1), 0.0)
    return dropout(scores.softmax(-1)) @ v


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return attention(self.W_query(x), self.W_key(x), self.W_value(x), self.dropout).to(x.dtype)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        make = lambda: CausalAttention(d_in, d_out, context_length, dropout, qkv_bias=qkv_bias)
        self.heads = nn.ModuleList([make() for _ in range(num_heads)])

    def forward(self, x):
        return torch.cat([h(x) for h in self.heads], -1)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        cut = lambda t: t.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
        y = attention(cut(self.W_query(x)), cut(self.W_key(x)), cut(self.W_value(x)), self.dropout)
        return self.out_proj(y.transpose(1, 2).flatten(2).to(x.dtype))
