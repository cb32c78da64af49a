"""In the wrapper each head gets d_out // num_heads features, as in the big module, where d_out each was asked for."""
# expect: wrapper heads too narrow
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


# Part 1: one head ------------------------------------------------------------


class CausalAttention(nn.Module):
    """Single causal self-attention head."""

    def __init__(self, d_in: int, d_out: int, context_length: int, dropout: float, qkv_bias: bool = False):
        super().__init__()
        self.scale = 1.0 / math.sqrt(d_out)
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.tril(torch.ones(context_length, context_length, dtype=torch.bool)))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        num_tokens = x.size(1)
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = torch.bmm(q, k.transpose(1, 2)) * self.scale
        scores = scores.masked_fill(~self.mask[:num_tokens, :num_tokens], float("-inf"))
        weights = self.dropout(F.softmax(scores, dim=-1))
        return torch.bmm(weights, v)


# Part 2: stacked heads -------------------------------------------------------


class MultiHeadAttentionWrapper(nn.Module):
    """Stack of independent heads."""

    def __init__(
        self, d_in: int, d_out: int, context_length: int, dropout: float, num_heads: int, qkv_bias: bool = False
    ):
        super().__init__()
        self.heads = nn.ModuleList(
            [CausalAttention(d_in, max(1, d_out // num_heads), context_length, dropout, qkv_bias) for _ in range(num_heads)]
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.cat([head(x) for head in self.heads], dim=-1)


# Part 3: split heads ---------------------------------------------------------


class MultiHeadAttention(nn.Module):
    """All heads at once."""

    def __init__(
        self, d_in: int, d_out: int, context_length: int, dropout: float, num_heads: int, qkv_bias: bool = False
    ):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("d_out must be divisible by num_heads")
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.tril(torch.ones(context_length, context_length, dtype=torch.bool)))

    def _split_heads(self, t: torch.Tensor) -> torch.Tensor:
        batch, tokens, _ = t.shape
        return t.view(batch, tokens, self.num_heads, self.head_dim).transpose(1, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, tokens, _ = x.shape
        q = self._split_heads(self.W_query(x))
        k = self._split_heads(self.W_key(x))
        v = self._split_heads(self.W_value(x))
        scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(self.head_dim)
        scores = scores.masked_fill(~self.mask[:tokens, :tokens], float("-inf"))
        weights = self.dropout(F.softmax(scores, dim=-1))
        context = torch.matmul(weights, v).transpose(1, 2).reshape(batch, tokens, -1)
        return self.out_proj(context)


def main() -> None:
    torch.manual_seed(123)
    x = torch.randn(2, 6, 3)
    assert CausalAttention(3, 2, 6, 0.0)(x).shape == (2, 6, 2)
    assert MultiHeadAttentionWrapper(3, 2, 6, 0.0, 2)(x).shape == (2, 6, 4)
    assert MultiHeadAttention(3, 2, 6, 0.0, 2)(x).shape == (2, 6, 2)
    print("All shapes are correct")


if __name__ == "__main__":
    main()
