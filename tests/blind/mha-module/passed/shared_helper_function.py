"""One helper does the attention of all three classes."""

import math

import torch
from torch import Tensor, nn


def attention_weights(q, k):
    """Weights of a causal attention; the last two axes are (tokens, width)."""
    n, width = q.shape[-2], q.shape[-1]
    scores = q @ k.transpose(-2, -1) / math.sqrt(width)
    i = torch.arange(n, device=q.device)
    allowed = i[:, None] >= i[None, :]
    scores = torch.where(allowed, scores, torch.full_like(scores, -math.inf))
    return torch.softmax(scores, dim=-1)


def attend(q, k, v, dropout):
    """q, k, v are (..., tokens, width); the dropout is a module."""
    return dropout(attention_weights(q, k)) @ v


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        q = self.W_query(x)
        k = self.W_key(x)
        v = self.W_value(x)
        return attend(q, k, v, self.dropout)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
        )

    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], dim=-1)


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

    def split_heads(self, t: Tensor) -> Tensor:
        batch, tokens, _ = t.shape
        return t.reshape(batch, tokens, self.num_heads, self.head_dim).permute(0, 2, 1, 3)

    def merge_heads(self, t: Tensor) -> Tensor:
        batch, _, tokens, _ = t.shape
        return t.permute(0, 2, 1, 3).reshape(batch, tokens, self.d_out)

    def forward(self, x: Tensor) -> Tensor:
        q = self.split_heads(self.W_query(x))
        k = self.split_heads(self.W_key(x))
        v = self.split_heads(self.W_value(x))
        return self.out_proj(self.merge_heads(attend(q, k, v, self.dropout)))
