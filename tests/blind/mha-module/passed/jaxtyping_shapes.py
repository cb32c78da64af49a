"""Shapes are written as jaxtyping hints."""

import math

import torch
import torch.nn.functional as F
from einops import rearrange
from jaxtyping import Bool, Float
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
        self.heads = nn.ModuleList(
            CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)
        )

    def forward(self, x):
        return rearrange([head(x) for head in self.heads], "h b t d -> b t (h d)")


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in: int, d_out: int, context_length: int, dropout: float, num_heads: int, qkv_bias: bool = False):
        super().__init__()
        assert d_out % num_heads == 0
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def heads(self, t: Float[Tensor, "b t d"]) -> Float[Tensor, "b h t e"]:
        return rearrange(t, "b t (h e) -> b h t e", h=self.num_heads)

    def forward(self, x: Float[Tensor, "b t d_in"]) -> Float[Tensor, "b t d_out"]:
        q: Float[Tensor, "b h t e"] = self.heads(self.W_query(x))
        k: Float[Tensor, "b h t e"] = self.heads(self.W_key(x))
        v: Float[Tensor, "b h t e"] = self.heads(self.W_value(x))
        s: Float[Tensor, "b h t t"] = torch.einsum("bhqe,bhke->bhqk", q, k) / math.sqrt(q.shape[-1])
        later: Bool[Tensor, "t t"] = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool, device=x.device).triu(1)
        w: Float[Tensor, "b h t t"] = self.dropout(s.masked_fill(later, -math.inf).softmax(-1))
        return self.out_proj(rearrange(w @ v, "b h t e -> b t (h e)"))
