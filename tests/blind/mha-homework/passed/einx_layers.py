"""einx for the split, the products, the mask and the softmax."""

import einx
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("d_out % num_heads != 0")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        q = einx.id("b t (h e) -> b h t e", self.W_query(x), h=self.num_heads)
        k = einx.id("b t (h e) -> b h t e", self.W_key(x), h=self.num_heads)
        v = einx.id("b t (h e) -> b h t e", self.W_value(x), h=self.num_heads)
        scores = einx.dot("b h i e, b h j e -> b h i j", q, k) / q.shape[-1] ** 0.5
        t = torch.arange(x.shape[1], device=x.device)
        visible = einx.greater_equal("i, j -> i j", t, t)
        scores = scores.masked_fill(~visible, float("-inf"))
        weights = self.dropout(einx.softmax("b h i [j]", scores))
        return self.out_proj(einx.dot("b h i j, b h j e -> b i (h e)", weights, v))
