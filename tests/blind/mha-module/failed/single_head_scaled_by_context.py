"""CausalAttention scales by the square root of the number of tokens, read off the wrong axis."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class Config:
    d_in: int
    d_out: int
    context_length: int
    dropout: float
    num_heads: int
    qkv_bias: bool

    @property
    def head_dim(self) -> int:
        return self.d_out // self.num_heads

    def check(self) -> None:
        if self.num_heads < 1 or self.d_out % self.num_heads:
            raise ValueError(f"num_heads={self.num_heads} must divide d_out={self.d_out}")


def split_heads(x: Tensor, config: Config) -> Tensor:
    return x.unflatten(-1, (config.num_heads, config.head_dim)).transpose(-3, -2)


def merge_heads(x: Tensor) -> Tensor:
    return x.transpose(-3, -2).flatten(-2)


def causal_softmax(scores: Tensor) -> Tensor:
    tokens = scores.size(-1)
    visible = torch.tril(torch.ones(tokens, tokens, dtype=torch.bool, device=scores.device))
    return scores.masked_fill(~visible, float("-inf")).softmax(-1)


class MultiHeadAttention(nn.Module):
    def __init__(
        self, d_in: int, d_out: int, context_length: int, dropout: float, num_heads: int, qkv_bias: bool = False
    ) -> None:
        super().__init__()
        self.config = Config(d_in, d_out, context_length, dropout, num_heads, qkv_bias)
        self.config.check()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        queries = split_heads(self.W_query(x), self.config)
        keys = split_heads(self.W_key(x), self.config)
        values = split_heads(self.W_value(x), self.config)
        weights = self.dropout(causal_softmax(queries @ keys.mT / self.config.head_dim**0.5))
        return self.out_proj(merge_heads(weights @ values))


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super(CausalAttention, self).__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer(
            "causal", torch.tril(torch.ones(context_length, context_length)).bool()[None], persistent=False
        )

    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        s = torch.matmul(q, torch.transpose(k, -2, -1))
        s = s / (k.size(1) ** 0.5)
        s = torch.where(self.causal[:, :t, :t], s, torch.tensor(float("-inf"), dtype=s.dtype, device=s.device))
        a = torch.exp(s - torch.logsumexp(s, dim=-1, keepdim=True))
        return torch.matmul(self.dropout(a), v)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super(MultiHeadAttentionWrapper, self).__init__()
        heads = []
        for i in range(num_heads):
            heads.append(CausalAttention(d_in, d_out, context_length, dropout, qkv_bias))
        self.heads = nn.ModuleList(heads)
        self.d_out = d_out

    def forward(self, x):
        parts = tuple(map(lambda head: head(x), self.heads))
        return torch.concatenate(parts, axis=-1)
