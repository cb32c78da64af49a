"""The mask comes from functools.lru_cache, keyed by length and device, made outside inference mode."""
import math
from functools import lru_cache

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@lru_cache(maxsize=16)
def future(n: int, device: torch.device) -> Tensor:
    with torch.inference_mode(False):
        return torch.ones(n, n, dtype=torch.bool, device=device).triu(1)


def hide_future(scores: Tensor) -> Tensor:
    return scores.masked_fill(future(scores.size(-1), scores.device), float("-inf"))


def attend(q: Tensor, k: Tensor, v: Tensor, drop: nn.Module) -> Tensor:
    scores = torch.matmul(q, k.mT) / math.sqrt(q.size(-1))
    scores = hide_future(scores)
    weights = F.softmax(scores, dim=-1)
    weights = drop(weights)
    return torch.matmul(weights, v)


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return attend(q, k, v, self.drop)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
        )

    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], dim=-1)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError(f"{num_heads} heads cannot share {d_out} features")
        self.h = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)

    def split(self, t):
        return t.unflatten(-1, (self.h, -1)).transpose(1, 2)

    def forward(self, x):
        q = self.split(self.W_query(x))
        k = self.split(self.W_key(x))
        v = self.split(self.W_value(x))
        y = attend(q, k, v, self.drop)
        y = y.transpose(1, 2).flatten(2)
        return self.out_proj(y)
