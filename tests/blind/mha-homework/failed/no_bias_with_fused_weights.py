"""Concatenates the weights of the three layers and forgets their biases."""

import torch
import torch.nn.functional as F
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("d_out must be a multiple of num_heads")
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_v = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_o = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def qkv(self, x):
        layers = (self.W_q, self.W_k, self.W_v)
        weight = torch.cat([layer.weight for layer in layers])
        bias = None if self.W_q.bias is None else torch.cat([layer.bias for layer in layers])
        return F.linear(x, weight).unflatten(-1, (3, self.num_heads, -1)).permute(2, 0, 3, 1, 4)

    def forward(self, x):
        q, k, v = self.qkv(x).unbind(0)
        scores = q @ k.mT / q.shape[-1] ** 0.5
        hidden = torch.ones(scores.shape[-2:], dtype=torch.bool, device=x.device).triu(diagonal=1)
        weights = self.dropout(F.softmax(scores.masked_fill(hidden, -torch.inf), dim=-1))
        return self.W_o((weights @ v).transpose(1, 2).flatten(-2))
