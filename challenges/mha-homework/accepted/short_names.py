"""Few lines and short names: W_q, h, d; scaled before it is masked."""

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.h, self.d, self.d_out = num_heads, d_out // num_heads, d_out
        self.W_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_v = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.proj = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length).triu(1))

    def forward(self, x):
        b, n, _ = x.shape
        Q, K, V = (W(x).view(b, n, self.h, self.d).transpose(1, 2) for W in (self.W_q, self.W_k, self.W_v))
        scores = Q @ K.transpose(-2, -1) / (self.d**0.5)
        scores = scores.masked_fill(self.mask[:n, :n].bool(), -torch.inf)
        out = (self.drop(torch.softmax(scores, dim=-1)) @ V).transpose(1, 2).contiguous().view(b, n, self.d_out)
        return self.proj(out)
