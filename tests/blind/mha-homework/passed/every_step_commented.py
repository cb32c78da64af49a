"""Follows the table of the specification line by line, with the shape after each step checked by an assert."""

import math

import torch
from torch import Tensor, nn


class MultiHeadAttention(nn.Module):
    """Causal multi-head attention as in GPT-2."""

    def __init__(
        self, d_in: int, d_out: int, context_length: int, dropout: float, num_heads: int, qkv_bias: bool = False
    ) -> None:
        super().__init__()
        assert d_out % num_heads == 0, "d_out must be divisible by num_heads"
        self.d_out = d_out
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.tril(torch.ones(context_length, context_length, dtype=torch.bool)))

    def forward(self, x: Tensor) -> Tensor:
        batch, tokens, _ = x.shape
        h, d = self.num_heads, self.head_dim
        # Project.
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        assert queries.shape == keys.shape == values.shape == (batch, tokens, self.d_out)
        # Split the features.
        queries, keys, values = (t.view(batch, tokens, h, d) for t in (queries, keys, values))
        # Swap tokens and heads.
        queries, keys, values = (t.transpose(1, 2) for t in (queries, keys, values))
        assert queries.shape == (batch, h, tokens, d)
        # Every query with every key.
        scores = torch.matmul(queries, keys.transpose(2, 3)) / math.sqrt(d)
        assert scores.shape == (batch, h, tokens, tokens)
        # Hide later tokens.
        scores = torch.where(self.mask[:tokens, :tokens], scores, -math.inf)
        # Weights.
        weights = self.dropout(torch.softmax(scores, dim=-1))
        # Weighted sum, and back.
        context = torch.matmul(weights, values)
        context = context.transpose(1, 2)
        assert context.shape == (batch, tokens, h, d)
        context = context.contiguous().view(batch, tokens, self.d_out)
        return self.out_proj(context)
