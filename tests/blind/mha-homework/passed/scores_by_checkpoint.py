"""The scores are never kept for the backward pass: torch.utils.checkpoint computes them again with the same dropout."""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("num_heads must divide d_out")
        self.num_heads, self.head_dim = num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("later", torch.ones(context_length, context_length, dtype=torch.bool).triu(1), persistent=False)

    def core(self, q, k, v):
        tokens = q.shape[2]
        scores = (q @ k.mT / self.head_dim**0.5).masked_fill(self.later[:tokens, :tokens], float("-inf"))
        return self.dropout(scores.softmax(-1)) @ v

    def forward(self, x):
        q, k, v = (t.reshape(*t.shape[:2], self.num_heads, -1).transpose(1, 2) for t in (self.W_query(x), self.W_key(x), self.W_value(x)))
        mixed = checkpoint(self.core, q, k, v, use_reentrant=False) if torch.is_grad_enabled() else self.core(q, k, v)
        return self.out_proj(mixed.transpose(1, 2).flatten(2))
