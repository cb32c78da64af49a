"""Causal multi-head attention: every step a method, so that each can be looked at by itself."""

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.d_out = d_out
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.tril(torch.ones(context_length, context_length)).bool())

    def split_heads(self, x):
        batch, tokens, _ = x.shape
        x = x.view(batch, tokens, self.num_heads, self.head_dim)
        return x.transpose(1, 2)

    def join_heads(self, x):
        batch, _, tokens, _ = x.shape
        x = x.transpose(1, 2)
        return x.contiguous().view(batch, tokens, self.d_out)

    def attention_weights(self, queries, keys):
        tokens = queries.shape[-2]
        scores = torch.matmul(queries, keys.transpose(-1, -2))
        scores = scores / self.head_dim**0.5
        allowed = self.mask[:tokens, :tokens]
        scores = scores.masked_fill(~allowed, -torch.inf)
        return torch.softmax(scores, dim=-1)

    def forward(self, x):
        queries = self.split_heads(self.W_query(x))
        keys = self.split_heads(self.W_key(x))
        values = self.split_heads(self.W_value(x))
        weights = self.attention_weights(queries, keys)
        weights = self.dropout(weights)
        context = torch.matmul(weights, values)
        context = self.join_heads(context)
        return self.out_proj(context)
