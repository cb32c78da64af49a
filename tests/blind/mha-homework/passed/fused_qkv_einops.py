"""One layer for queries, keys and values; einops."""
import torch
from einops import einsum, rearrange
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("d_out % num_heads")
        self.num_heads = num_heads
        self.qkv = nn.Linear(d_in, 3 * d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)
        self.register_buffer("later", torch.ones(context_length, context_length).triu(1) > 0, persistent=False)

    def forward(self, x):
        t = x.shape[1]
        q, k, v = rearrange(self.qkv(x), "b t (three h d) -> three b h t d", three=3, h=self.num_heads)
        s = einsum(q, k, "b h i d, b h j d -> b h i j") / q.shape[-1] ** 0.5
        s = s.masked_fill(self.later[:t, :t], float("-inf"))
        y = einsum(self.drop(s.softmax(-1)), v, "b h i j, b h j d -> b h i d")
        return self.out_proj(rearrange(y, "b h t d -> b t (h d)"))
