"""Split, Merge and CausalWeights are modules of their own, without parameters, registered in the layer."""

import torch
from torch import Tensor, nn


class Split(nn.Module):
    def __init__(self, num_heads: int) -> None:
        super().__init__()
        self.num_heads = num_heads

    def forward(self, x: Tensor) -> Tensor:
        return x.unflatten(-1, (self.num_heads, x.shape[-1] // self.num_heads)).transpose(-3, -2)


class Merge(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x.transpose(-3, -2).flatten(-2)


class CausalWeights(nn.Module):
    def __init__(self, context_length: int, dropout: float) -> None:
        super().__init__()
        self.register_buffer("seen", torch.ones(context_length, context_length, dtype=torch.bool).tril())
        self.dropout = nn.Dropout(dropout)

    def forward(self, q: Tensor, k: Tensor) -> Tensor:
        scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        hidden = self.seen[: q.shape[-2], : k.shape[-2]].logical_not()
        return self.dropout(scores.masked_fill(hidden, float("-inf")).log_softmax(-1).exp())


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if num_heads < 1 or d_out % num_heads:
            raise ValueError("num_heads must divide d_out")
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.split, self.merge = Split(num_heads), Merge()
        self.weights = CausalWeights(context_length, dropout)

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = self.split(self.W_query(x)), self.split(self.W_key(x)), self.split(self.W_value(x))
        return self.out_proj(self.merge(self.weights(q, k) @ v))
