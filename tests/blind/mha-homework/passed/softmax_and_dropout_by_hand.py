"""Unusual: softmax and dropout are written out with elementary operations."""
import numpy as np
import torch
from torch import nn


def softmax(z):
    z = z - z.max(dim=-1, keepdim=True).values.detach()
    e = torch.exp(z)
    return e / e.sum(dim=-1, keepdim=True)


def drop(w, p, training):
    if not training or p == 0:
        return w
    if p >= 1:
        return w * 0.0
    keep = torch.rand_like(w) >= p
    return w * keep / (1.0 - p)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if not d_out % num_heads == 0:
            raise AssertionError("heads do not fit")
        self.num_heads, self.head_dim = num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out, True)
        self.p_drop = float(dropout)
        self.register_buffer("mask", torch.from_numpy(np.triu(np.ones((context_length,) * 2, dtype=bool), k=1)))

    def forward(self, x):
        B, T, _ = x.shape
        H, D = self.num_heads, self.head_dim
        q = torch.permute(self.W_query(x).reshape(B, T, H, D), (0, 2, 1, 3))
        kT = torch.permute(self.W_key(x).reshape(B, T, H, D), (0, 2, 3, 1))
        v = torch.permute(self.W_value(x).reshape(B, T, H, D), (0, 2, 1, 3))
        scores = (q @ kT) / np.sqrt(D).item()
        # fill before the maximum is taken, so that hidden keys do not count
        scores = scores.masked_fill(self.mask[:T, :T], -np.inf)
        w = drop(softmax(scores), self.p_drop, self.training)
        return self.out_proj(torch.permute(w @ v, (0, 2, 1, 3)).reshape(B, T, H * D))
