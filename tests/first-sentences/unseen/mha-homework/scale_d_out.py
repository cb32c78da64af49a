# Says: You divide by `self.d_out ** 0.5`, but each head is only `head_dim` wide: the scale is the square root of `self.head_dim`.
# Line: 31
# Names: d_out, head_dim
# Kind: wrong idea
import torch
from torch import nn
from einops import rearrange


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("d_out % num_heads != 0")
        self.d_out = d_out
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length, dtype=torch.bool), 1))

    def forward(self, x):
        t = x.shape[1]
        q, k, v = (
            rearrange(layer(x), "b t (h d) -> b h t d", h=self.num_heads)
            for layer in (self.W_query, self.W_key, self.W_value)
        )
        scores = torch.einsum("bhqd,bhkd->bhqk", q, k) / (self.d_out ** 0.5)
        scores = scores.masked_fill(self.mask[:t, :t], float("-inf"))
        weights = self.dropout(scores.softmax(-1))
        out = torch.einsum("bhqk,bhkd->bhqd", weights, v)
        return self.out_proj(rearrange(out, "b h t d -> b t (h d)"))
