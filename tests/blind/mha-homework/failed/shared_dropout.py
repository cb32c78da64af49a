"""One dropout pattern is drawn for all sequences and heads instead of one for each weight."""
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0, "d_out must be divisible by num_heads"
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.tril(torch.ones(context_length, context_length)))

    def forward(self, x):
        b, n, _ = x.shape
        q, k, v = [
            p(x).reshape(b, n, self.num_heads, -1).permute(0, 2, 1, 3) for p in (self.W_query, self.W_key, self.W_value)
        ]
        mask = self.mask[:n, :n]
        s = (q @ k.permute(0, 1, 3, 2) / q.shape[-1] ** 0.5).masked_fill(mask == 0, float("-inf"))
        a = s.softmax(-1) * self.dropout(mask)
        return self.out_proj((a @ v).permute(0, 2, 1, 3).reshape(b, n, -1))
