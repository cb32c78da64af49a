"""The sizes are a validated dataclass, the mask comes from a functools.cached_property on it, and forward is a pipeline of small methods."""

from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor, nn


@dataclass
class Sizes:
    d_in: int
    d_out: int
    context_length: int
    num_heads: int

    def __post_init__(self) -> None:
        if self.d_out % self.num_heads:
            raise ValueError(f"d_out = {self.d_out} is not a multiple of num_heads = {self.num_heads}")

    @property
    def head_dim(self) -> int:
        return self.d_out // self.num_heads

    @cached_property
    def causal(self) -> Tensor:
        with torch.inference_mode(False):
            return torch.ones(self.context_length, self.context_length).tril() == 1


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.sizes = Sizes(d_in, d_out, context_length, num_heads)
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=qkv_bias) for _ in range(3))
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def split(self, t: Tensor) -> Tensor:
        return t.unflatten(-1, (self.sizes.num_heads, self.sizes.head_dim)).transpose(-3, -2)

    def merge(self, t: Tensor) -> Tensor:
        return t.transpose(-3, -2).flatten(-2)

    def weights(self, q: Tensor, k: Tensor) -> Tensor:
        n = q.shape[-2]
        scores = torch.einsum("bhqd,bhkd->bhqk", q, k).div(self.sizes.head_dim**0.5)
        return self.dropout(scores.where(self.sizes.causal[:n, :n].to(q.device), -torch.inf).softmax(-1))

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = map(self.split, (self.W_query(x), self.W_key(x), self.W_value(x)))
        return self.out_proj(self.merge(self.weights(q, k) @ v))
