# Says: You made the layer `self.W_querry` in `__init__` but call `self.W_query` in `forward`: give it the same name, `W_query`.
# Line: 30
# Names: W_querry, W_query
# Kind: crash
import math
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("d_out has to be a multiple of num_heads")
        self.d_out = d_out
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads

        self.W_querry = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)

        self.dropout = nn.Dropout(dropout)
        mask = torch.tril(torch.ones(context_length, context_length)).bool()
        self.register_buffer("mask", mask)

    def forward(self, x):
        B, T, _ = x.size()
        q = self.W_query(x)
        k = self.W_key(x)
        v = self.W_value(x)
        q = q.reshape(B, T, self.num_heads, self.head_dim).transpose(1, 2)
        k = k.reshape(B, T, self.num_heads, self.head_dim).transpose(1, 2)
        v = v.reshape(B, T, self.num_heads, self.head_dim).transpose(1, 2)
        att = torch.matmul(q, k.transpose(-1, -2)) / math.sqrt(self.head_dim)
        att = att.masked_fill(~self.mask[:T, :T], -math.inf)
        att = self.dropout(att.softmax(dim=-1))
        y = torch.matmul(att, v).transpose(1, 2).reshape(B, T, self.d_out)
        return self.out_proj(y)
