"""The causal mask is only applied in training; after eval() every token sees every other."""
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("d_out % num_heads")
        self.num_heads, self.head_dim = num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length).triu(1).bool())

    def forward(self, x):
        B, T, _ = x.shape
        q, k, v = (
            f(x).view(B, T, self.num_heads, self.head_dim).transpose(1, 2)
            for f in (self.W_query, self.W_key, self.W_value)
        )
        att = q @ k.transpose(-1, -2) / self.head_dim**0.5
        if self.training:
            att = att.masked_fill(self.mask[:T, :T], float("-inf"))
        att = self.dropout(att.softmax(dim=-1))
        return self.out_proj((att @ v).transpose(1, 2).reshape(B, T, -1))
