"""The mask also hides the diagonal (triu without diagonal=1), so the first token sees nothing."""
import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.d_out, self.num_heads = d_out, num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length, dtype=torch.bool)))

    def forward(self, x):
        b, t, _ = x.shape
        hd = self.d_out // self.num_heads
        q = self.W_query(x).view(b, t, self.num_heads, hd).transpose(1, 2)
        k = self.W_key(x).view(b, t, self.num_heads, hd).transpose(1, 2)
        v = self.W_value(x).view(b, t, self.num_heads, hd).transpose(1, 2)
        s = q @ k.transpose(-1, -2) / hd**0.5
        s = s.masked_fill(self.mask[:t, :t], -1e9)
        z = self.dropout(torch.softmax(s, -1)) @ v
        return self.out_proj(z.transpose(1, 2).contiguous().view(b, t, self.d_out))
