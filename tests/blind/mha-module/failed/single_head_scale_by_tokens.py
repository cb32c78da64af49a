"""A single head that scales by the number of tokens.

Idea: The scores are divided by the root of the number of tokens in place of the head's width.
Where: only when tokens and d_out differ, in CausalAttention and in the wrapper
"""

import math
from dataclasses import dataclass

import torch
from torch import nn


def future(n, device):
    """True where the key comes after the query."""
    return torch.ones(n, n, dtype=torch.bool, device=device).triu(1)


def stable_softmax(scores):
    shifted = scores - scores.max(dim=-1, keepdim=True).values
    e = shifted.exp()
    return e / e.sum(dim=-1, keepdim=True)


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_v = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        Q = self.W_q(x)
        K = self.W_k(x)
        V = self.W_v(x)
        S = Q.matmul(K.permute(0, 2, 1)) / math.sqrt(Q.shape[1])
        S = S.masked_fill(future(S.shape[-1], S.device), -math.inf)
        A = stable_softmax(S)
        A = self.dropout(A)
        return A.matmul(V)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
        )

    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], dim=-1)


@dataclass(frozen=True)
class Sizes:
    d_in: int
    d_out: int
    num_heads: int

    def __post_init__(self):
        if self.d_out % self.num_heads != 0:
            raise ValueError("d_out has to be a multiple of num_heads")

    @property
    def head_dim(self):
        return self.d_out // self.num_heads


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.sizes = Sizes(d_in, d_out, num_heads)
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out, bias=True)
        self.dropout = nn.Dropout(dropout)

    def to_heads(self, t):
        b, n, _ = t.shape
        return t.view(b, n, self.sizes.num_heads, self.sizes.head_dim).swapaxes(1, 2)

    def from_heads(self, t):
        b, _, n, _ = t.shape
        return t.swapaxes(1, 2).reshape(b, n, self.sizes.d_out)

    def forward(self, x):
        q = self.to_heads(self.W_query(x))
        k = self.to_heads(self.W_key(x))
        v = self.to_heads(self.W_value(x))
        scores = q @ k.swapaxes(-2, -1) / math.sqrt(self.sizes.head_dim)
        scores = scores.masked_fill(future(x.shape[1], x.device), -math.inf)
        weights = self.dropout(stable_softmax(scores))
        return self.out_proj(self.from_heads(weights @ v))
