"""MultiHeadAttention without two of its steps.

Idea: The scores are neither scaled nor masked.
Where: everywhere
Id: causal-mask
"""

import math

import torch
from torch import nn


class CausalAttention(nn.Module):
    """exp of the shifted scores, future set to zero, then divided by the sum of what is left."""

    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = (q @ k.transpose(1, 2)) / math.sqrt(k.shape[2])
        seen = torch.ones_like(scores).tril()
        top = scores.detach().masked_fill(seen == 0, -math.inf).amax(dim=2, keepdim=True)
        e = torch.exp((scores - top).masked_fill(seen == 0, -math.inf)) * seen
        w = self.dropout(e / e.sum(dim=2, keepdim=True))
        return w @ v


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
        )

    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], dim=-1)


class MultiHeadAttention(nn.Module):
    """One sequence after the other; within a sequence all heads at once."""

    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def one(self, seq):
        n = seq.shape[0]
        q = self.W_query(seq).reshape(n, self.num_heads, -1).transpose(0, 1)
        k = self.W_key(seq).reshape(n, self.num_heads, -1).transpose(0, 1)
        v = self.W_value(seq).reshape(n, self.num_heads, -1).transpose(0, 1)
        s = torch.bmm(q, k.transpose(1, 2))
        c = torch.bmm(self.dropout(s.softmax(-1)), v)
        return self.out_proj(c.transpose(0, 1).reshape(n, -1))

    def forward(self, x):
        return torch.stack([self.one(seq) for seq in x])
