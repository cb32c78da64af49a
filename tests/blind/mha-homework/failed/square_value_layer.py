"""W_value maps d_in to d_in, which only works when d_in equals d_out."""
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError()
        self.d_out, self.num_heads, self.head_dim = d_out, num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_in, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", ~torch.ones(context_length, context_length).tril().bool())

    def forward(self, x):
        b, n, d = x.shape
        shape = (b, n, self.num_heads, self.head_dim)
        q, k, v = self.W_query(x).view(shape), self.W_key(x).view(shape), self.W_value(x).view(shape)
        s = torch.einsum("bihd,bjhd->bhij", q, k) * self.head_dim**-0.5
        s.masked_fill_(self.mask[:n, :n], -torch.inf)
        w = self.dropout(torch.softmax(s, dim=-1))
        return self.out_proj(torch.einsum("bhij,bjhd->bihd", w, v).reshape(b, n, self.d_out))
