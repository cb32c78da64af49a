"""Queries and keys each take the fourth root of the scale."""

import math

import torch
from torch import Tensor, nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.to_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_v = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.root = math.sqrt(d_out)

    def forward(self, x):
        q, k, v = (layer(x) for layer in (self.to_q, self.to_k, self.to_v))
        r = self.root ** 0.5
        logits = torch.bmm(q / r, k.transpose(1, 2) / r)
        bias = logits.new_full((x.shape[1], x.shape[1]), -math.inf).triu(1)
        logits = logits + bias
        log_weights = logits - torch.logsumexp(logits, dim=-1, keepdim=True)
        weights = self.dropout(log_weights.exp())
        return torch.bmm(weights, v)


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
        quarter = self.head_dim ** 0.25
        scores = torch.matmul(q / quarter, (k / quarter).transpose(-1, -2))
        scores = scores.masked_fill(~self.mask[:tokens, :tokens], float("-inf"))
        weights = self.dropout(torch.softmax(scores, dim=-1))
        return self.out_proj(self.merge_heads(torch.matmul(weights, v)))
