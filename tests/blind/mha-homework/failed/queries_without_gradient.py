"""Detaches the queries before the comparison.

Idea: The queries are detached, so W_query gets no gradient.
Where: only the gradient of x and W_query
Id: detached-gradient
"""

import math

import torch
from torch import nn


def project(x, layers):
    return [layer(x) for layer in layers]


def cut(t, num_heads):
    batch, tokens, width = t.shape
    return t.reshape(batch, tokens, num_heads, width // num_heads)


def exchange(t):
    return t.swapaxes(1, 2)


def compare(q, k):
    return q @ k.swapaxes(-1, -2) / math.sqrt(q.shape[-1])


def hide_later(scores):
    later = torch.ones(scores.shape[-2:], device=scores.device).triu(1) == 1
    return scores.masked_fill(later, -math.inf)


def merge(t):
    batch, tokens, heads, width = t.shape
    return t.reshape(batch, tokens, heads * width)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("the heads cannot share d_out")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        q, k, v = project(x, (self.W_query, self.W_key, self.W_value))
        q, k, v = cut(q, self.num_heads), cut(k, self.num_heads), cut(v, self.num_heads)
        q, k, v = exchange(q), exchange(k), exchange(v)
        weights = torch.softmax(hide_later(compare(q.detach(), k)), dim=-1)
        weights = self.dropout(weights)
        heads = exchange(weights @ v)
        return self.out_proj(merge(heads))
