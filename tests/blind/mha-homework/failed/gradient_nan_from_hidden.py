"""exp is taken of hidden scores too and then thrown away by torch.where: the values are right, but an infinite exp makes the gradient NaN.

Shows for gradients where the score of a hidden key is several hundred above the visible ones.
"""
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("num_heads does not divide d_out")
        self.h = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("visible", torch.ones(context_length, context_length).tril().bool())

    def forward(self, x):
        b, n, _ = x.shape
        q = self.W_query(x).reshape(b, n, self.h, -1).transpose(1, 2)
        k = self.W_key(x).reshape(b, n, self.h, -1).transpose(1, 2)
        v = self.W_value(x).reshape(b, n, self.h, -1).transpose(1, 2)
        vis = self.visible[:n, :n]
        s = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
        top = s.detach().masked_fill(~vis, -torch.inf).amax(-1, keepdim=True)
        e = torch.where(vis, torch.exp(s - top), torch.zeros_like(s))
        w = e / e.sum(-1, keepdim=True)
        return self.out_proj((self.dropout(w) @ v).transpose(1, 2).reshape(b, n, -1))
