"""Multi-head attention with biases unless told otherwise.

Idea: The default of qkv_bias is True.
Where: only when qkv_bias is left out
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
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=True):
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
        shape = (b, t, self.num_heads, self.d_out // self.num_heads)
        q = self.W_query(x).reshape(shape).swapaxes(1, 2)
        k = self.W_key(x).reshape(shape).swapaxes(1, 2)
        v = self.W_value(x).reshape(shape).swapaxes(1, 2)
        merged = (self.weights(q, k) @ v).swapaxes(1, 2).reshape(b, t, self.d_out)
        return self.out_proj(merged)
