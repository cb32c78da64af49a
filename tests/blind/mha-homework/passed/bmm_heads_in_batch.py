"""Folds the heads into the batch axis and multiplies with baddbmm and bmm."""

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0, (d_out, num_heads)
        self.h = num_heads
        self.d = d_out // num_heads
        self.to_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_v = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_out = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def fold(self, y):
        b, t, _ = y.shape
        return y.reshape(b, t, self.h, self.d).transpose(1, 2).reshape(b * self.h, t, self.d)

    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = self.fold(self.to_q(x)), self.fold(self.to_k(x)), self.fold(self.to_v(x))
        bias = torch.zeros(t, t, dtype=q.dtype, device=q.device)
        bias = bias.masked_fill(torch.triu(torch.ones_like(bias), 1) == 1, -torch.inf)
        scores = torch.baddbmm(bias.expand(b * self.h, t, t), q, k.transpose(1, 2), alpha=self.d**-0.5)
        weights = self.dropout(torch.softmax(scores, dim=2))
        out = torch.bmm(weights, v).reshape(b, self.h, t, self.d).transpose(1, 2)
        return self.to_out(out.reshape(b, t, self.h * self.d))
