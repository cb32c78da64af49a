"""A right answer of the seventh corpus."""
from functools import lru_cache

import torch
from einops import einsum, rearrange
from torch import nn


@lru_cache(maxsize=32)
def later(n: int, device: torch.device) -> torch.Tensor:
    i = torch.arange(n, device=device)
    return i[None, :] > i[:, None]


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("num_heads has to divide d_out")
        self.h = num_heads
        self.W_query = nn.Linear(d_in, d_out, qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        q, k, v = (
            rearrange(layer(x), "b t (h d) -> b h t d", h=self.h) for layer in (self.W_query, self.W_key, self.W_value)
        )
        scores = einsum(q, k, "b h i d, b h j d -> b h i j") / q.shape[-1] ** 0.5
        scores = torch.where(later(x.shape[1], x.device), float("-inf"), scores)
        weights = self.drop(scores.softmax(dim=-1))
        return self.out_proj(rearrange(einsum(weights, v, "b h i j, b h j d -> b h i d"), "b h t d -> b t (h d)"))
