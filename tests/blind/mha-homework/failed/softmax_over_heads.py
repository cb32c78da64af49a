"""The softmax runs over the heads (dim=1), and hidden weights are then set to zero.

Shows for all inputs with two heads or more, or with two tokens or more.
"""
import torch
import torch.nn as nn


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
        self.register_buffer("visible", torch.ones(context_length, context_length).tril().bool())

    def forward(self, x):
        bs, t, _ = x.shape

        def cut(y):
            return y.unflatten(-1, (self.num_heads, self.head_dim)).permute(0, 2, 1, 3)

        q, k, v = cut(self.W_query(x)), cut(self.W_key(x)), cut(self.W_value(x))
        scores = q @ k.permute(0, 1, 3, 2) / self.head_dim**0.5
        weights = torch.softmax(scores, dim=1)
        weights = weights.masked_fill(~self.visible[:t, :t], 0.0)
        out = self.dropout(weights) @ v
        return self.out_proj(out.permute(0, 2, 1, 3).flatten(2))
