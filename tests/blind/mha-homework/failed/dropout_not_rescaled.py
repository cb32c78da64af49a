"""Drops by hand and forgets to divide by 1 - p."""

import math

import torch
from torch import nn


def softmax_rows(scores):
    shifted = scores - scores.amax(-1, keepdim=True).detach()
    e = shifted.exp()
    return e / e.sum(-1, keepdim=True)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.num_heads = num_heads
        self.p = float(dropout)
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.register_buffer("mask", torch.tril(torch.ones(1, 1, context_length, context_length)))

    def drop(self, weights):
        if not self.training or self.p == 0.0:
            return weights
        if self.p >= 1.0:
            return weights * 0.0
        keep = torch.rand_like(weights) >= self.p
        return weights * keep

    def forward(self, x):
        B, T, _ = x.size()
        H = self.num_heads
        q = self.W_query(x).view(B, T, H, -1).transpose(1, 2)
        k = self.W_key(x).view(B, T, H, -1).transpose(1, 2)
        v = self.W_value(x).view(B, T, H, -1).transpose(1, 2)
        scores = (q @ k.transpose(-1, -2)) / math.sqrt(q.size(-1))
        scores = scores.masked_fill(self.mask[:, :, :T, :T] == 0, float("-inf"))
        y = self.drop(softmax_rows(scores)) @ v
        return self.out_proj(y.transpose(1, 2).contiguous().view(B, T, -1))
