"""CausalAttention sees the future; MultiHeadAttention does not.
Diagnosis: causal-mask
"""

import math

import torch
from einops import einsum, rearrange
from torch import nn


class CausalAttention(nn.Module):
    """One causal head."""

    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.query = nn.Linear(d_in, d_out, qkv_bias)
        self.key = nn.Linear(d_in, d_out, qkv_bias)
        self.value = nn.Linear(d_in, d_out, qkv_bias)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        q, k, v = self.query(x), self.key(x), self.value(x)
        s = torch.einsum("bid,bjd->bij", q, k) / math.sqrt(q.shape[-1])
        return torch.einsum("bij,bjd->bid", self.drop(s.softmax(-1)), v)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
        )

    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], dim=-1)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("d_out must be a multiple of num_heads")
        self.h = num_heads
        self.W_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_v = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        q, k, v = (rearrange(layer(x), "b t (h d) -> b h t d", h=self.h) for layer in (self.W_q, self.W_k, self.W_v))
        s = einsum(q, k, "b h i d, b h j d -> b h i j") / math.sqrt(q.shape[-1])
        allowed = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool, device=x.device).tril()
        p = self.drop(s.masked_fill(~allowed, float("-inf")).softmax(dim=-1))
        return self.out_proj(rearrange(einsum(p, v, "b h i j, b h j d -> b h i d"), "b h t d -> b t (h d)"))
