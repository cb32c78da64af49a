"""Queries, keys and values stay one tensor with five axes until the scores."""

import functools
import math

import torch
import torch.nn.functional as F
from einops import rearrange
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        make = functools.partial(nn.Linear, d_in, d_out, bias=qkv_bias)
        self.W_query, self.W_key, self.W_value = make(), make(), make()
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("hide", torch.ones(context_length, context_length).triu(1).bool())

    def forward(self, x):
        n = x.size(1)
        q = self.W_query(x) / math.sqrt(self.W_query.out_features)
        scores = q @ self.W_key(x).swapaxes(-1, -2)
        scores = torch.where(self.hide[:n, :n], torch.finfo(scores.dtype).min, scores)
        return self.dropout(torch.softmax(scores, -1)) @ self.W_value(x)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)
        )

    def forward(self, x):
        return rearrange([head(x) for head in self.heads], "h b t d -> b t (h d)")


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
        scores = torch.einsum("bqhd,bkhd->bhqk", qkv[:, :, 0], qkv[:, :, 1]) / math.sqrt(qkv.shape[-1])
        v = qkv[:, :, 2].transpose(1, 2)
        scores = scores + self.mask[:n, :n]
        weights = self.dropout(F.softmax(scores, dim=3))
        return self.out_proj((weights @ v).transpose(1, 2).reshape(b, n, -1))
