"""The mask is an nn.Parameter that an optimizer trains along with the layers.

Shows in the list of parameters, and in the values after a step of training.
"""
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("d_out must be a multiple of num_heads")
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.mask = nn.Parameter(torch.triu(torch.full((context_length, context_length), -torch.inf), diagonal=1))

    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = (
            f(x).reshape(b, t, self.num_heads, self.head_dim).transpose(1, 2)
            for f in (self.W_query, self.W_key, self.W_value)
        )
        scores = (q @ k.transpose(2, 3)) / self.head_dim**0.5 + self.mask[:t, :t]
        weights = self.dropout(scores.softmax(dim=-1))
        return self.out_proj((weights @ v).transpose(1, 2).reshape(b, t, -1))
