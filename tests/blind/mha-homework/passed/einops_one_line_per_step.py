"""Each row of the table is one line of einops."""

import torch
from einops import einsum, rearrange
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
        self.register_buffer("position", torch.arange(context_length))

    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        # cut
        q = rearrange(q, "b t (h e) -> b t h e", h=self.num_heads)
        k = rearrange(k, "b t (h e) -> b t h e", h=self.num_heads)
        v = rearrange(v, "b t (h e) -> b t h e", h=self.num_heads)
        # exchange
        q = rearrange(q, "b t h e -> b h t e")
        k = rearrange(k, "b t h e -> b h t e")
        v = rearrange(v, "b t h e -> b h t e")
        # compare
        scores = einsum(q, k, "b h query e, b h key e -> b h query key") * q.shape[-1] ** -0.5
        # hide
        now = self.position[: x.shape[1]]
        scores = scores.masked_fill(now[None, :] > now[:, None], -torch.inf)
        # mix
        weights = self.dropout(scores.softmax(dim=-1))
        mixed = einsum(weights, v, "b h query key, b h key e -> b h query e")
        # exchange back, merge
        mixed = rearrange(mixed, "b h t e -> b t h e")
        mixed = rearrange(mixed, "b t h e -> b t (h e)")
        return self.out_proj(mixed)
