"""Unusual: the steps are small modules of their own, and the sizes are kept in a frozen dataclass."""
from dataclasses import dataclass

import torch
from torch import nn


@dataclass(frozen=True)
class Sizes:
    d_in: int
    d_out: int
    context_length: int
    num_heads: int

    def __post_init__(self):
        if self.d_out % self.num_heads:
            raise ValueError(f"d_out={self.d_out} cannot be shared by {self.num_heads} heads")

    @property
    def head_dim(self):
        return self.d_out // self.num_heads


class SplitHeads(nn.Module):
    def __init__(self, num_heads):
        super().__init__()
        self.num_heads = num_heads

    def forward(self, t):
        return torch.stack(t.chunk(self.num_heads, dim=-1), dim=1)


class MergeHeads(nn.Module):
    def forward(self, t):
        return torch.cat(t.unbind(dim=1), dim=-1)


class CausalMask(nn.Module):
    def __init__(self, length):
        super().__init__()
        self.register_buffer("position", torch.arange(length), persistent=False)

    def forward(self, scores):
        i = self.position[: scores.shape[-2], None]
        j = self.position[None, : scores.shape[-1]]
        return scores.masked_fill(j > i, float("-inf"))


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.sizes = Sizes(d_in, d_out, context_length, num_heads)
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.weights = nn.Sequential(nn.Softmax(dim=-1), nn.Dropout(dropout))
        self.mask = CausalMask(context_length)
        self.split = SplitHeads(num_heads)
        self.merge = MergeHeads()

    def forward(self, x):
        q = self.split(self.W_query(x))
        k = self.split(self.W_key(x))
        v = self.split(self.W_value(x))
        scores = self.mask(q @ k.transpose(-2, -1) / self.sizes.head_dim**0.5)
        return self.out_proj(self.merge(self.weights(scores) @ v))
