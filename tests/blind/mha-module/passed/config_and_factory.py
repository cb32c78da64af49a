"""A frozen dataclass carries the sizes, a factory makes the layers, and a context-free function attends."""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class Config:
    d_in: int
    d_out: int
    context_length: int
    dropout: float
    num_heads: int = 1
    qkv_bias: bool = False

    def layers(self) -> Iterator[tuple[str, nn.Module]]:
        for name in ("W_query", "W_key", "W_value"):
            yield name, nn.Linear(self.d_in, self.d_out, bias=self.qkv_bias)

    def head(self) -> "CausalAttention":
        return CausalAttention(self.d_in, self.d_out, self.context_length, self.dropout, self.qkv_bias)


def attend(q: Tensor, k: Tensor, v: Tensor, dropout: nn.Module) -> Tensor:
    n = q.shape[-2]
    bias = torch.zeros(n, n, dtype=q.dtype, device=q.device)
    bias[torch.triu_indices(n, n, offset=1).unbind()] = -torch.inf
    scores = q @ k.mT / q.shape[-1] ** 0.5 + bias
    return dropout(torch.exp(scores - torch.logsumexp(scores, -1, keepdim=True))) @ v


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        config = Config(d_in, d_out, context_length, dropout, qkv_bias=qkv_bias)
        for name, layer in config.layers():
            self.add_module(name, layer)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, x: Tensor) -> Tensor:
        return attend(self.W_query(x), self.W_key(x), self.W_value(x), self.dropout)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        config = Config(d_in, d_out, context_length, dropout, num_heads, qkv_bias)
        self.heads = nn.ModuleList(config.head() for _ in range(config.num_heads))

    def forward(self, x: Tensor) -> Tensor:
        return torch.cat(tuple(head(x) for head in self.heads), dim=-1)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.config = Config(d_in, d_out, context_length, dropout, num_heads, qkv_bias)
        if d_out % num_heads:
            raise ValueError(f"num_heads = {num_heads} must divide d_out = {d_out}")
        for name, layer in self.config.layers():
            self.add_module(name, layer)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        split = lambda t: t.unflatten(-1, (self.config.num_heads, -1)).transpose(1, 2)
        mixed = attend(split(self.W_query(x)), split(self.W_key(x)), split(self.W_value(x)), self.dropout)
        return self.out_proj(mixed.transpose(1, 2).flatten(2))
