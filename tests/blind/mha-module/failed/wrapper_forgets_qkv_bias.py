"""A wrapper that leaves out the last argument.

Idea: The wrapper does not pass qkv_bias on to the heads.
Where: only when qkv_bias is True, in the wrapper
"""

import functools
import math

import torch
import torch.nn.functional as F
from torch import nn


def attention_weights(q, k):
    """Weights of a causal attention; the last two axes are (tokens, width)."""
    n, width = q.shape[-2], q.shape[-1]
    scores = q @ k.transpose(-2, -1) / math.sqrt(width)
    i = torch.arange(n, device=q.device)
    allowed = i[:, None] >= i[None, :]
    scores = torch.where(allowed, scores, torch.full_like(scores, -math.inf))
    return torch.softmax(scores, dim=-1)


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        q = self.W_query(x)
        k = self.W_key(x)
        v = self.W_value(x)
        weights = attention_weights(q, k)
        return self.dropout(weights) @ v


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        new_head = functools.partial(CausalAttention, d_in, d_out, context_length, dropout)
        self.heads = nn.ModuleList([new_head() for _ in range(num_heads)])

    def forward(self, x):
        return torch.concat(tuple(map(lambda head: head(x), self.heads)), -1)


class MultiHeadAttention(nn.Module):
    """Three layers, but one product: their weights are joined at every call."""

    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.full((context_length, context_length), -torch.inf).triu(1))

    def forward(self, x):
        b, n, _ = x.shape
        layers = (self.W_query, self.W_key, self.W_value)
        weight = torch.cat([layer.weight for layer in layers])
        bias = None if layers[0].bias is None else torch.cat([layer.bias for layer in layers])
        qkv = F.linear(x, weight, bias).view(b, n, 3, self.num_heads, -1)
        q, k, v = qkv.movedim(2, 0).transpose(2, 3)
        scores = q @ k.transpose(2, 3) / math.sqrt(q.shape[3]) + self.mask[:n, :n]
        weights = self.dropout(F.softmax(scores, dim=3))
        return self.out_proj((weights @ v).transpose(1, 2).reshape(b, n, -1))
