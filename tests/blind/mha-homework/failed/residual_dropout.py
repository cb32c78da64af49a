"""Dropout is applied to the result of out_proj instead of the attention weights."""
import math
import torch
import torch.nn as nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.resid_dropout = nn.Dropout(dropout)
        self.n_head = num_heads
        self.register_buffer("bias", torch.tril(torch.ones(1, 1, context_length, context_length)))

    def forward(self, x):
        B, T, C = x.size()
        q = self.W_query(x)
        C = q.size(-1)
        q = q.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        k = self.W_key(x).view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        v = self.W_value(x).view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        att = att.masked_fill(self.bias[:, :, :T, :T] == 0, float("-inf"))
        att = F.softmax(att, dim=-1)
        y = att @ v
        y = y.transpose(1, 2).contiguous().view(B, T, C)
        return self.resid_dropout(self.out_proj(y))
