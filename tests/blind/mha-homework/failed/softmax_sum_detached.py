"""The sum below the softmax is detached, so that its share of the gradient is missing.

Shows in the gradients of x, W_query and W_key for two tokens or more.
"""
import torch
import torch.nn as nn


def softmax(z):
    with torch.no_grad():
        top = z.amax(dim=-1, keepdim=True)
        total = torch.exp(z - top).sum(dim=-1, keepdim=True)
    return torch.exp(z - top) / total


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.q_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.k_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.v_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.o_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1).bool())

    def forward(self, x):
        b, t, _ = x.shape
        q = self.q_proj(x).view(b, t, self.num_heads, self.head_dim).transpose(1, 2)
        k = self.k_proj(x).view(b, t, self.num_heads, self.head_dim).transpose(1, 2)
        v = self.v_proj(x).view(b, t, self.num_heads, self.head_dim).transpose(1, 2)
        s = q @ k.transpose(2, 3) / self.head_dim**0.5
        w = self.dropout(softmax(s.masked_fill(self.mask[:t, :t], -torch.inf)))
        return self.o_proj((w @ v).transpose(1, 2).reshape(b, t, -1))
