"""Dropout is applied to the scores before the softmax, not to the weights after it."""
import torch
from torch import nn
from einops import rearrange


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert not d_out % num_heads
        self.heads = num_heads
        self.scale = (d_out // num_heads) ** -0.5
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("tril", torch.tril(torch.ones(context_length, context_length)))

    def forward(self, x):
        n = x.size(1)
        q, k, v = (rearrange(f(x), "b n (h d) -> b h n d", h=self.heads) for f in (self.W_query, self.W_key, self.W_value))
        dots = torch.einsum("bhid,bhjd->bhij", q, k) * self.scale
        dots = self.dropout(dots)
        dots = dots.masked_fill(self.tril[:n, :n] == 0, float("-inf"))
        attn = dots.softmax(dim=-1)
        return self.out_proj(rearrange(attn @ v, "b h n d -> b n (h d)"))
