"""Gives out_proj the same bias switch as the rest.

Idea: out_proj has a bias only if qkv_bias says so, though it should always have one.
Where: only when qkv_bias is False
"""

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0, f"{num_heads} heads cannot share {d_out} features"
        self.d_in, self.d_out, self.context_length = d_in, d_out, context_length
        self.num_heads, self.head_dim = num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("is_later", torch.triu(torch.ones(context_length, context_length, dtype=torch.bool), 1))

    def forward(self, x):
        B, T, D = x.shape
        H, E = self.num_heads, self.head_dim
        assert D == self.d_in and T <= self.context_length

        Q = self.W_query(x)
        K = self.W_key(x)
        V = self.W_value(x)
        assert Q.shape == K.shape == V.shape == (B, T, self.d_out)

        Q = Q.view(B, T, H, E).transpose(1, 2)
        K = K.view(B, T, H, E).transpose(1, 2)
        V = V.view(B, T, H, E).transpose(1, 2)
        assert Q.shape == K.shape == V.shape == (B, H, T, E)

        S = Q @ K.transpose(2, 3) / E**0.5
        S = S.masked_fill(self.is_later[:T, :T], float("-inf"))
        A = self.dropout(torch.softmax(S, dim=-1))
        assert A.shape == (B, H, T, T)

        Z = (A @ V).transpose(1, 2)
        assert Z.shape == (B, T, H, E)
        Z = Z.reshape(B, T, self.d_out)
        return self.out_proj(Z)
