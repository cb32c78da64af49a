"""Later tokens get a score of 0 (multiplication by a lower triangle), not minus infinity."""
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        batch, tokens, _ = x.shape
        q = self.W_query(x).reshape(batch, tokens, self.num_heads, -1).transpose(1, 2)
        k = self.W_key(x).reshape(batch, tokens, self.num_heads, -1).transpose(1, 2)
        v = self.W_value(x).reshape(batch, tokens, self.num_heads, -1).transpose(1, 2)
        scores = torch.tril(q @ k.transpose(2, 3) / q.shape[-1] ** 0.5)
        weights = self.dropout(torch.softmax(scores, dim=-1))
        out = (weights @ v).transpose(1, 2).reshape(batch, tokens, -1)
        return self.out_proj(out)
