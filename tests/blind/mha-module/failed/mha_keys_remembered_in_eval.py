"""MultiHeadAttention with a cache of keys that is never emptied.

Idea: Under no_grad keys and values of earlier calls are kept, and a new sequence attends to them as well.
Where: only under no_grad in eval at the second call
Id: stale-cache
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
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        args = (d_in, d_out, context_length, dropout)
        self.heads = nn.ModuleList(CausalAttention(*args, qkv_bias=qkv_bias) for _ in range(num_heads))

    def forward(self, x):
        side_by_side = torch.stack([h(x) for h in self.heads], dim=-2)
        return side_by_side.flatten(-2)


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
        self.past = None
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
        mask = self.mask[:tokens, :tokens]
        if not self.training and not torch.is_grad_enabled():
            if self.past is not None and self.past[0].shape[0] == k.shape[0]:
                k = torch.cat((self.past[0], k), dim=2)
                v = torch.cat((self.past[1], v), dim=2)
                mask = torch.cat((mask.new_ones(tokens, k.shape[2] - tokens), mask), dim=1)
            self.past = (k, v)
        scores = torch.matmul(q, k.transpose(-1, -2)) / math.sqrt(self.head_dim)
        scores = scores.masked_fill(~mask, float("-inf"))
        weights = self.dropout(torch.softmax(scores, dim=-1))
        return self.out_proj(self.merge_heads(torch.matmul(weights, v)))
