"""The softmax written by hand takes exp of the raw scores, without taking off the maximum.

Shows for visible scores of several hundred: exp is infinite above, and all zero below.
"""
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if not d_out % num_heads == 0:
            raise AssertionError("heads do not fit")
        self.num_heads, self.head_dim = num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out, True)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length).triu(1).bool())

    def forward(self, x):
        B, T, _ = x.shape
        H, D = self.num_heads, self.head_dim
        q = torch.permute(self.W_query(x).reshape(B, T, H, D), (0, 2, 1, 3))
        kT = torch.permute(self.W_key(x).reshape(B, T, H, D), (0, 2, 3, 1))
        v = torch.permute(self.W_value(x).reshape(B, T, H, D), (0, 2, 1, 3))
        scores = ((q @ kT) / D**0.5).masked_fill(self.mask[:T, :T], -torch.inf)
        e = scores.exp()
        w = self.dropout(e / e.sum(dim=-1, keepdim=True))
        return self.out_proj(torch.permute(w @ v, (0, 2, 1, 3)).reshape(B, T, H * D))
