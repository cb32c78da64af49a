"""Dropout falls on the scores before the softmax instead of on the weights after it.

Shows in training with a dropout above zero.
"""
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("d_out is not a multiple of num_heads")
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
        queries = self.W_query(x).reshape(shape).transpose(1, 2)
        keys = self.W_key(x).reshape(shape).transpose(1, 2)
        values = self.W_value(x).reshape(shape).transpose(1, 2)
        scores = self.dropout(queries @ keys.mT / self.head_dim**0.5)
        scores = scores.masked_fill(~self.mask[:tokens, :tokens], -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        return self.out_proj((weights @ values).transpose(1, 2).reshape(b, tokens, -1))
