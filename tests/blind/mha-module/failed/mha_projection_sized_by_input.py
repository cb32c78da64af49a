"""MultiHeadAttention with a projection back to the input.

Idea: out_proj leads from d_out back to d_in in place of d_out.
Where: only when d_in and d_out differ
"""

import math

import torch
from einops import einsum, rearrange
from jaxtyping import Bool, Float
from torch import Tensor, nn


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
    def __init__(self, d_in: int, d_out: int, context_length: int, dropout: float, num_heads: int, qkv_bias: bool = False):
        super().__init__()
        assert d_out % num_heads == 0
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_in)
        self.dropout = nn.Dropout(dropout)

    def heads(self, t: Float[Tensor, "b t d"]) -> Float[Tensor, "b h t e"]:
        return rearrange(t, "b t (h e) -> b h t e", h=self.num_heads)

    def forward(self, x: Float[Tensor, "b t d_in"]) -> Float[Tensor, "b t d_out"]:
        q: Float[Tensor, "b h t e"] = self.heads(self.W_query(x))
        k: Float[Tensor, "b h t e"] = self.heads(self.W_key(x))
        v: Float[Tensor, "b h t e"] = self.heads(self.W_value(x))
        s: Float[Tensor, "b h t t"] = torch.einsum("bhqe,bhke->bhqk", q, k) / math.sqrt(q.shape[-1])
        later: Bool[Tensor, "t t"] = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool, device=x.device).triu(1)
        w: Float[Tensor, "b h t t"] = self.dropout(s.masked_fill(later, -math.inf).softmax(-1))
        return self.out_proj(rearrange(w @ v, "b h t e -> b t (h e)"))
