"""A wrapper that gives its heads no dropout.

Idea: The wrapper does not pass its dropout on to the heads.
Where: only in training with dropout above 0, in the wrapper
"""

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class CausalAttention(nn.Module):
    """One causal head."""

    def __init__(self, d_in: int, d_out: int, context_length: int, dropout: float, qkv_bias: bool = False) -> None:
        super().__init__()
        self.W_query: nn.Linear = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key: nn.Linear = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value: nn.Linear = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.attn_dropout: nn.Dropout = nn.Dropout(dropout)
        allowed: Tensor = torch.tril(torch.ones(context_length, context_length, dtype=torch.bool))
        self.register_buffer("allowed", allowed, persistent=False)

    def scores(self, q: Tensor, k: Tensor) -> Tensor:
        return torch.matmul(q, k.mT) / math.sqrt(q.size(-1))

    def forward(self, x: Tensor) -> Tensor:
        tokens: int = x.size(1)
        q: Tensor = self.W_query(x)
        k: Tensor = self.W_key(x)
        v: Tensor = self.W_value(x)
        allowed: Tensor = self.allowed[:tokens, :tokens]
        scores: Tensor = self.scores(q, k).masked_fill(allowed.logical_not(), -math.inf)
        weights: Tensor = self.attn_dropout(F.softmax(scores, dim=-1))
        return torch.matmul(weights, v)


class MultiHeadAttentionWrapper(nn.Module):
    """Heads side by side, each d_out wide, no projection behind them."""

    def __init__(
        self, d_in: int, d_out: int, context_length: int, dropout: float, num_heads: int, qkv_bias: bool = False
    ) -> None:
        super().__init__()
        heads: list[nn.Module] = []
        for _ in range(num_heads):
            heads.append(
                CausalAttention(
                    d_in=d_in, d_out=d_out, context_length=context_length, dropout=0.0, qkv_bias=qkv_bias
                )
            )
        self.heads = nn.ModuleList(heads)

    def forward(self, x: Tensor) -> Tensor:
        results: list[Tensor] = [head(x) for head in self.heads]
        assert len({r.shape for r in results}) == 1, "all heads have the same shape"
        return torch.cat(results, dim=-1)


class MultiHeadAttention(nn.Module):
    """Multi-head attention with a causal mask."""

    def __init__(
        self, d_in: int, d_out: int, context_length: int, dropout: float, num_heads: int, qkv_bias: bool = False
    ) -> None:
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError(f"d_out ({d_out}) is not divisible by num_heads ({num_heads})")
        self.d_out = d_out
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.tril(torch.ones(context_length, context_length)).bool())

    def split_heads(self, t: Tensor) -> Tensor:
        batch, tokens, _ = t.shape
        return t.reshape(batch, tokens, self.num_heads, self.head_dim).permute(0, 2, 1, 3)

    def merge_heads(self, t: Tensor) -> Tensor:
        batch, _, tokens, _ = t.shape
        return t.permute(0, 2, 1, 3).reshape(batch, tokens, self.d_out)

    def forward(self, x: Tensor) -> Tensor:
        tokens = x.shape[1]
        q = self.split_heads(self.W_query(x))
        k = self.split_heads(self.W_key(x))
        v = self.split_heads(self.W_value(x))
        scores = torch.matmul(q, k.transpose(-1, -2)) / math.sqrt(self.head_dim)
        scores = scores.masked_fill(~self.mask[:tokens, :tokens], float("-inf"))
        weights = self.dropout(torch.softmax(scores, dim=-1))
        return self.out_proj(self.merge_heads(torch.matmul(weights, v)))
