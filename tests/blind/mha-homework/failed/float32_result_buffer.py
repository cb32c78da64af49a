"""The rows are collected in a buffer of the default dtype, float32, whatever the dtype of x.

Shows for float64: out_proj refuses the buffer, or digits are lost.
"""
import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("d_out is not a multiple of num_heads")
        self.d_out = d_out
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
        queries, keys, values = self.W_query(x).reshape(shape), self.W_key(x).reshape(shape), self.W_value(x).reshape(shape)
        result = torch.zeros(b, tokens, self.d_out, device=x.device)
        for i in range(tokens):
            seen = self.mask[i, :tokens]
            q = queries[:, i].unsqueeze(2)
            k = keys[:, seen].permute(0, 2, 3, 1)
            v = values[:, seen].permute(0, 2, 1, 3)
            weights = torch.softmax(q @ k / self.head_dim**0.5, dim=-1)
            result[:, i] = (self.dropout(weights) @ v).reshape(b, self.d_out)
        return self.out_proj(result)
