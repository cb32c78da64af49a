"""The dropout pattern is drawn once for a shape and kept for all later calls with this shape.

Shows in training with a dropout between zero and one, at the second call.
"""
import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = dropout
        self._keep = None
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1).bool())

    def _drop(self, w):
        if not self.training or self.dropout == 0:
            return w
        if self._keep is None or self._keep.shape != w.shape:
            self._keep = torch.rand(w.shape, device=w.device) >= self.dropout
        scale = 1 / (1 - self.dropout) if self.dropout < 1 else 0.0
        return w * self._keep * scale

    def forward(self, x):
        b, t, _ = x.shape
        q = self.W_query(x).view(b, t, self.num_heads, self.head_dim).permute(0, 2, 1, 3)
        k = self.W_key(x).view(b, t, self.num_heads, self.head_dim).permute(0, 2, 1, 3)
        v = self.W_value(x).view(b, t, self.num_heads, self.head_dim).permute(0, 2, 1, 3)
        s = (q @ k.mT) / self.head_dim**0.5
        w = self._drop(torch.softmax(s.masked_fill(self.mask[:t, :t], -torch.inf), dim=-1))
        return self.out_proj((w @ v).permute(0, 2, 1, 3).reshape(b, t, -1))
