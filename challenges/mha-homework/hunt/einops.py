"""Causal multi-head attention with einops; the mask is made in the call, the softmax written out."""

import math

import torch
from einops import einsum, rearrange
from torch import Tensor, nn


class MultiHeadAttention(nn.Module):
    def __init__(
        self, d_in: int, d_out: int, context_length: int, dropout: float, num_heads: int, qkv_bias: bool = False
    ) -> None:
        super().__init__()
        if d_out % num_heads:
            raise ValueError(f"{num_heads} heads cannot share {d_out} features")
        self.heads = num_heads
        self.to_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_v = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.mix = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        q = rearrange(self.to_q(x), "b t (h d) -> b h t d", h=self.heads)
        k = rearrange(self.to_k(x), "b t (h d) -> b h t d", h=self.heads)
        v = rearrange(self.to_v(x), "b t (h d) -> b h t d", h=self.heads)
        logits = einsum(q, k, "b h i d, b h j d -> b h i j") / math.sqrt(q.size(-1))
        place = torch.arange(x.size(1), device=x.device)
        future = rearrange(place, "j -> 1 j") > rearrange(place, "i -> i 1")
        logits = torch.where(future, -torch.inf, logits)
        e = torch.exp(logits - logits.amax(dim=-1, keepdim=True))
        shares = e / e.sum(dim=-1, keepdim=True)
        attended = einsum(self.drop(shares), v, "b h i j, b h j d -> b h i d")
        return self.mix(rearrange(attended, "b h t d -> b t (h d)"))
