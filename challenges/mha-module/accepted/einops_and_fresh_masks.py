"""einops for the heads, einsum for the scores, a mask made in every call, layers with other names."""

import math

import torch
from einops import einsum, rearrange
from torch import Tensor, nn
from torch.nn import functional


def causal(scores: Tensor) -> Tensor:
    allowed = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).tril()
    return scores.masked_fill(~allowed, float("-inf"))


class CausalAttention(nn.Module):
    def __init__(self, d_in: int, d_out: int, context_length: int, dropout: float, qkv_bias: bool = False):
        super().__init__()
        self.p = dropout
        self.q_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.k_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.v_proj = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = self.q_proj(x), self.k_proj(x), self.v_proj(x)
        scores = einsum(q, k, "b i d, b j d -> b i j") / math.sqrt(q.shape[-1])
        weights = functional.dropout(causal(scores).softmax(dim=-1), self.p, training=self.training)
        return einsum(weights, v, "b i j, b j d -> b i d")


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList()
        for _ in range(num_heads):
            self.heads.append(CausalAttention(d_in, d_out, context_length, dropout, qkv_bias))

    def forward(self, x):
        return rearrange([head(x) for head in self.heads], "h b t d -> b t (h d)")


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("d_out must be a multiple of num_heads")
        self.num_heads, self.p = num_heads, dropout
        self.q_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.k_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.v_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.o_proj = nn.Linear(d_out, d_out)

    def forward(self, x):
        q, k, v = (
            rearrange(project(x), "b t (h d) -> b h t d", h=self.num_heads)
            for project in (self.q_proj, self.k_proj, self.v_proj)
        )
        scores = einsum(q, k, "b h i d, b h j d -> b h i j") / math.sqrt(q.shape[-1])
        weights = functional.dropout(causal(scores).softmax(dim=-1), self.p, training=self.training)
        context = einsum(weights, v, "b h i j, b h j d -> b h i d")
        return self.o_proj(rearrange(context, "b h t d -> b t (h d)"))
