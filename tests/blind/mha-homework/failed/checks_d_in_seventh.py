"""The check looks at d_in instead of d_out, and so does head_dim."""
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_in % num_heads == 0, "embedding must be divisible by heads"
        self.num_heads = num_heads
        self.head_dim = d_in // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        b, t, d = x.shape
        q = self.W_query(x).reshape(b, t, self.num_heads, self.head_dim).transpose(1, 2)
        k = self.W_key(x).reshape(b, t, self.num_heads, self.head_dim).transpose(1, 2)
        v = self.W_value(x).reshape(b, t, self.num_heads, self.head_dim).transpose(1, 2)
        s = q @ k.transpose(-2, -1) / self.head_dim**0.5
        s = s.masked_fill(torch.triu(torch.ones(t, t, device=x.device), 1) == 1, float("-inf"))
        y = self.dropout(s.softmax(-1)) @ v
        return self.out_proj(y.transpose(1, 2).reshape(b, t, -1))
