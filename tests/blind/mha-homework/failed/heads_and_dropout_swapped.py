"""The parameters num_heads and dropout have changed places.

Shows for calls that give arguments by position.
"""
import torch
from einops import einsum, rearrange
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, num_heads, dropout, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError(f"{num_heads} heads cannot share {d_out} features")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)
        self.register_buffer("visible", torch.ones(context_length, context_length).tril().bool())

    def forward(self, x):
        q, k, v = (
            rearrange(layer(x), "b n (h d) -> b h n d", h=self.num_heads)
            for layer in (self.W_query, self.W_key, self.W_value)
        )
        n = x.shape[1]
        s = einsum(q, k, "b h i d, b h j d -> b h i j") / q.shape[-1] ** 0.5
        w = self.drop(torch.where(self.visible[:n, :n], s, -torch.inf).softmax(-1))
        return self.out_proj(rearrange(einsum(w, v, "b h i j, b h j d -> b h i d"), "b h n d -> b n (h d)"))
