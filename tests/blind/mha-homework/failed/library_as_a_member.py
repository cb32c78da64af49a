"""Keeps the library's function as a member of the class.

Idea: The attention is done by scaled_dot_product_attention of the library under another name.
Where: everywhere
Rule: no-library-attention
"""

import torch
import torch.nn.functional as F
from torch import nn


class MultiHeadAttention(nn.Module):
    core = staticmethod(F.scaled_dot_product_attention)

    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0, f"{num_heads} heads cannot share {d_out} features"
        self.d_in, self.d_out, self.context_length = d_in, d_out, context_length
        self.num_heads, self.head_dim = num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
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

        p = self.dropout.p if self.training else 0.0
        Z = self.core(Q, K, V, ~self.is_later[:T, :T], p).transpose(1, 2)
        assert Z.shape == (B, T, H, E)
        Z = Z.reshape(B, T, self.d_out)
        return self.out_proj(Z)
