"""Several methods and a module for the attention itself; heads folded into the batch."""

import torch
from torch import nn


class ScaledDotProduct(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.dropout = nn.Dropout(dropout)

    def forward(self, q, k, v, hidden):
        scores = torch.bmm(q, k.mT).div_(q.shape[-1] ** 0.5)
        scores = scores.masked_fill_(hidden, float("-inf"))
        return torch.bmm(self.dropout(scores.softmax(2)), v)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.num_heads = self._checked(d_out, num_heads)
        self.linear_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.linear_k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.linear_v = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.linear_out = nn.Linear(d_out, d_out)
        self.attention = ScaledDotProduct(dropout)
        self.register_buffer("hidden", torch.triu(torch.ones(context_length, context_length, dtype=torch.bool), 1))

    @staticmethod
    def _checked(d_out, num_heads):
        if num_heads <= 0 or d_out % num_heads:
            raise ValueError(f"cannot share {d_out} features among {num_heads} heads")
        return num_heads

    def _split(self, x):
        b, t, d = x.shape
        return x.view(b, t, self.num_heads, d // self.num_heads).transpose(1, 2).reshape(b * self.num_heads, t, -1)

    def _merge(self, x, b):
        return x.view(b, self.num_heads, x.shape[1], -1).transpose(1, 2).flatten(2)

    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = self._split(self.linear_q(x)), self._split(self.linear_k(x)), self._split(self.linear_v(x))
        context = self.attention(q, k, v, self.hidden[:t, :t])
        return self.linear_out(self._merge(context, b))
