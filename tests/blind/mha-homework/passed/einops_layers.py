"""einops splits and merges; the mask is compared from positions in each call."""

import torch
from einops import rearrange
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError(f"{num_heads} heads do not divide {d_out} features")
        self.num_heads = num_heads
        self.scale = (d_out // num_heads) ** -0.5
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=qkv_bias) for _ in range(3))
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        q, k, v = (
            rearrange(layer(x), "b t (h d) -> b h t d", h=self.num_heads)
            for layer in (self.W_query, self.W_key, self.W_value)
        )
        scores = torch.einsum("bhid,bhjd->bhij", q, k) * self.scale
        position = torch.arange(x.shape[1], device=x.device)
        later = rearrange(position, "j -> 1 j") > rearrange(position, "i -> i 1")
        weights = self.dropout(scores.masked_fill(later, float("-inf")).softmax(dim=-1))
        return self.out_proj(rearrange(weights @ v, "b h t d -> b t (h d)"))
