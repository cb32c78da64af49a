"""In MultiHeadAttention: multiplies the weights by the keys instead of the values."""

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
        return self.out_proj(merge_heads(weights @ keys))


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.d_out = d_out
        self.context_length = context_length
        self.W_q = nn.Linear(d_in, d_out, bias=bool(qkv_bias))
        self.W_k = nn.Linear(d_in, d_out, bias=bool(qkv_bias))
        self.W_v = nn.Linear(d_in, d_out, bias=bool(qkv_bias))
        self.dropout = nn.Dropout(p=dropout)

    def weights(self, x):
        scores = torch.baddbmm(self.hidden(x), self.W_q(x), self.W_k(x).mT, alpha=self.d_out**-0.5)
        return self.dropout(torch.softmax(scores, dim=-1))

    def hidden(self, x):
        tokens = x.shape[1]
        return torch.full((tokens, tokens), -torch.inf, dtype=x.dtype, device=x.device).triu(1)

    def forward(self, x):
        assert x.dim() == 3, "x must be (batch, tokens, d_in)"
        return torch.bmm(self.weights(x), self.W_v(x))


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            CausalAttention(
                d_in=d_in, d_out=d_out, context_length=context_length, dropout=dropout, qkv_bias=qkv_bias
            )
            for _ in range(num_heads)
        )

    def forward(self, x):
        stacked = torch.stack([head(x) for head in self.heads], dim=2)
        return stacked.flatten(start_dim=2)
