"""Multi-head attention with unflatten and flatten, and a mask that is added."""

import math

import torch
from torch import Tensor, nn


class MultiHeadAttention(nn.Module):
    mask: Tensor

    def __init__(
        self, d_in: int, d_out: int, context_length: int, dropout: float, num_heads: int, qkv_bias: bool = False
    ) -> None:
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("d_out % num_heads must be 0")
        self.num_heads, self.head_dim = num_heads, d_out // num_heads
        self.q_proj = nn.Linear(d_in, d_out, qkv_bias)
        self.k_proj = nn.Linear(d_in, d_out, qkv_bias)
        self.v_proj = nn.Linear(d_in, d_out, qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(p=dropout)
        self.register_buffer("mask", torch.full((context_length, context_length), float("-inf")).triu(1))

    def _heads(self, y: Tensor) -> Tensor:
        return y.unflatten(-1, (self.num_heads, self.head_dim)).movedim(-2, -3)

    def forward(self, x: Tensor) -> Tensor:
        n = x.size(1)
        q, k, v = map(self._heads, (self.q_proj(x), self.k_proj(x), self.v_proj(x)))
        scores = torch.matmul(q, k.mT).div(math.sqrt(self.head_dim)) + self.mask[:n, :n]
        out = self.drop(scores.softmax(dim=-1)).matmul(v)
        return self.out_proj(out.movedim(-3, -2).flatten(-2))
