"""The wrapper sends the heads' results through an output projection that it should not have.

Shows in MultiHeadAttentionWrapper for every input.
"""

import math

import torch
from einops import rearrange
from torch import Tensor, nn


class CausalAttention(nn.Module):
    def __init__(self, d_in: int, d_out: int, context_length: int, dropout: float, qkv_bias: bool = False) -> None:
        super().__init__()
        self.to_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_v = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.attn_drop = nn.Dropout(dropout)
        visible = torch.ones(context_length, context_length, dtype=torch.bool).tril()
        self.register_buffer("visible", visible, persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        n = x.size(1)
        q, k, v = self.to_q(x), self.to_k(x), self.to_v(x)
        scores = q @ rearrange(k, "b n d -> b d n") / math.sqrt(k.size(-1))
        scores = scores.masked_fill(~self.visible[:n, :n], -math.inf)
        weights = self.attn_drop(scores.softmax(-1))
        return weights @ v


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(
        self, d_in: int, d_out: int, context_length: int, dropout: float, num_heads: int, qkv_bias: bool = False
    ) -> None:
        super().__init__()
        self.heads = nn.ModuleList()
        for _ in range(num_heads):
            self.heads.append(CausalAttention(d_in, d_out, context_length, dropout, qkv_bias=qkv_bias))
        self.out_proj = nn.Linear(num_heads * d_out, num_heads * d_out)

    def forward(self, x: Tensor) -> Tensor:
        results = [head(x) for head in self.heads]
        return self.out_proj(rearrange(results, "h b n d -> b n (h d)"))


class MultiHeadAttention(nn.Module):
    def __init__(
        self, d_in: int, d_out: int, context_length: int, dropout: float, num_heads: int, qkv_bias: bool = False
    ) -> None:
        super().__init__()
        assert d_out % num_heads == 0, (d_out, num_heads)
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.scale = 1 / math.sqrt(self.head_dim)
        self.to_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_v = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.attn_drop = nn.Dropout(dropout)
        visible = torch.ones(context_length, context_length, dtype=torch.bool).tril()
        self.register_buffer("visible", visible, persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        n = x.size(1)
        q, k, v = self.to_q(x), self.to_k(x), self.to_v(x)
        q = rearrange(q, "b n (h d) -> b h n d", h=self.num_heads)
        k = rearrange(k, "b n (h d) -> b h n d", h=self.num_heads)
        v = rearrange(v, "b n (h d) -> b h n d", h=self.num_heads)
        scores = q @ rearrange(k, "b h n d -> b h d n") * self.scale
        scores = scores.masked_fill(~self.visible[:n, :n], -math.inf)
        weights = self.attn_drop(scores.softmax(-1))
        merged = rearrange(weights @ v, "b h n d -> b n (h d)")
        return self.out_proj(merged)
