"""Concatenates the three weights in every call for one product; gradients flow through the concatenation."""

import torch
from torch import nn
from torch.nn import functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("num_heads must divide d_out")
        self.num_heads, self.head_dim = num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def qkv(self, x):
        layers = self.W_query, self.W_key, self.W_value
        weight = torch.cat([layer.weight for layer in layers])
        bias = None if self.W_query.bias is None else torch.cat([layer.bias for layer in layers])
        return F.linear(x, weight, bias).unflatten(-1, (3, self.num_heads, self.head_dim)).movedim(2, 0).transpose(2, 3)

    def forward(self, x):
        q, k, v = self.qkv(x)
        tokens = x.shape[1]
        scores = q @ k.mT * self.head_dim**-0.5
        order = torch.arange(tokens, device=x.device)
        scores = scores.masked_fill(order > order.unsqueeze(1), -torch.inf)
        return self.out_proj((self.dropout(F.softmax(scores, -1)) @ v).transpose(1, 2).flatten(2))
