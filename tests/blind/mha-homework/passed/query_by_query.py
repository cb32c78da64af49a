"""Unusual: a loop over the tokens; each query meets only the keys that its row of the mask shows."""
import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("d_out is not a multiple of num_heads")
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.tril(torch.ones(context_length, context_length)) == 1)

    def forward(self, x):
        b, tokens, _ = x.size()
        shape = (b, tokens, self.num_heads, self.head_dim)
        queries = self.W_query(x).reshape(shape)
        keys = self.W_key(x).reshape(shape)
        values = self.W_value(x).reshape(shape)

        rows = []
        for i in range(tokens):
            seen = self.mask[i, :tokens]
            q = queries[:, i].unsqueeze(2)                      # (b, heads, 1, head_dim)
            k = keys[:, seen].permute(0, 2, 3, 1)               # (b, heads, head_dim, seen)
            v = values[:, seen].permute(0, 2, 1, 3)             # (b, heads, seen, head_dim)
            weights = torch.softmax(q @ k / self.head_dim**0.5, dim=-1)
            rows.append((self.dropout(weights) @ v).reshape(b, -1))
        return self.out_proj(torch.stack(rows, dim=1))
