"""Multi-head attention with a cut straight into heads.

Idea: The features are reshaped straight to (batch, heads, tokens, head_dim).
Where: everywhere that there is more than one head and more than one token
Id: reshape-before-transpose
"""

import torch
from torch import nn


class CausalWeights(nn.Module):
    def __init__(self, context_length, dropout):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("seen", torch.tril(torch.ones(context_length, context_length)).bool())

    def forward(self, queries, keys):
        tokens, head_dim = queries.shape[-2:]
        scores = queries @ keys.transpose(-2, -1)
        scores = scores.masked_fill(torch.logical_not(self.seen[:tokens, :tokens]), float("-inf"))
        return self.dropout(nn.functional.softmax(scores / head_dim**0.5, dim=-1))


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        assert d_out % num_heads == 0, (d_out, num_heads)
        super().__init__()
        self.d_out, self.num_heads = d_out, num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.weights = CausalWeights(context_length, dropout)

    def forward(self, x):
        b, t = x.shape[0], x.shape[1]
        shape = (b, self.num_heads, t, self.d_out // self.num_heads)
        q = self.W_query(x).reshape(shape)
        k = self.W_key(x).reshape(shape)
        v = self.W_value(x).reshape(shape)
        merged = (self.weights(q, k) @ v).swapaxes(1, 2).reshape(b, t, self.d_out)
        return self.out_proj(merged)
