"""Three attention modules; the last flattens its input with view.

Idea: view is used on the input, as if it always were contiguous.
Where: only in MultiHeadAttention when x is not contiguous
"""

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
        self.heads = nn.ModuleList()
        for _ in range(num_heads):
            self.heads.append(CausalAttention(d_in, d_out, context_length, dropout, qkv_bias=qkv_bias))

    def forward(self, x):
        results = []
        for head in self.heads:
            results.append(head(x))
        return torch.cat(results, -1)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("num_heads must divide d_out")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1).bool())

    def forward(self, x):
        b, n, d_in = x.shape
        flat = x.view(b * n, d_in)
        q, k, v = (
            w(flat).view(b, n, self.num_heads, -1).permute(0, 2, 1, 3) for w in (self.W_query, self.W_key, self.W_value)
        )
        scores = (q @ k.permute(0, 1, 3, 2) / math.sqrt(q.size(-1))).masked_fill(self.mask[:n, :n], -math.inf)
        out = self.dropout(scores.softmax(-1)) @ v
        return self.out_proj(out.permute(0, 2, 1, 3).reshape(b * n, -1)).view(b, n, -1)
