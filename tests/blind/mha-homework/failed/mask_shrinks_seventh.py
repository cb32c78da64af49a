"""The stored mask is cut to the first sequence's length and stays that short for later calls."""
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("num_heads must divide d_out")
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.mask = torch.triu(torch.ones(context_length, context_length), diagonal=1).bool()
        self.num_heads = num_heads

    def forward(self, x):
        num_tokens = x.shape[1]
        self.mask = self.mask[:num_tokens, :num_tokens]
        q, k, v = (f(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for f in (self.W_query, self.W_key, self.W_value))
        attn = (q @ k.mT).masked_fill(self.mask, -torch.inf).div(q.shape[-1] ** 0.5).softmax(-1)
        return self.out_proj((self.dropout(attn) @ v).transpose(1, 2).flatten(-2))
