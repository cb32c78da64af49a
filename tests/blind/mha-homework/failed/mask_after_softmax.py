"""Weights of later tokens are zeroed after the softmax and the rest is not brought back to a sum of one.

Shows for two tokens or more.
"""
import torch
from torch import nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.h, self.d = num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.p = dropout
        pos = torch.arange(context_length)
        self.register_buffer("future", pos[None, :] > pos[:, None])

    def forward(self, x):
        ws = torch.cat([self.W_query.weight, self.W_key.weight, self.W_value.weight])
        bs = None
        if self.W_query.bias is not None:
            bs = torch.cat([self.W_query.bias, self.W_key.bias, self.W_value.bias])
        qkv = F.linear(x, ws, bs).unflatten(-1, (3, self.h, self.d)).permute(2, 0, 3, 1, 4)
        q, k, v = qkv.unbind(0)
        t = x.shape[1]
        a = F.softmax(q @ k.mT / self.d**0.5, dim=-1)
        a = a.masked_fill(self.future[:t, :t], 0.0)
        a = F.dropout(a, self.p, self.training)
        return self.out_proj((a @ v).transpose(1, 2).flatten(2))
