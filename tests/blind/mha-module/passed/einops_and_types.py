"""einops.rearrange for every move of axes and jaxtyping for every signature; the mask is a cached property of the length."""

from functools import lru_cache

import torch
from einops import rearrange
from jaxtyping import Bool, Float
from torch import Tensor, nn


@lru_cache(maxsize=32)
def later(tokens: int, device: torch.device) -> Bool[Tensor, "tokens tokens"]:
    with torch.inference_mode(False):
        return torch.triu(torch.ones(tokens, tokens, dtype=torch.bool, device=device), diagonal=1)


def causal_weights(q: Float[Tensor, "... t d"], k: Float[Tensor, "... t d"]) -> Float[Tensor, "... t t"]:
    scores = q @ rearrange(k, "... t d -> ... d t") / q.shape[-1] ** 0.5
    return scores.masked_fill(later(q.shape[-2], q.device), float("-inf")).softmax(dim=-1)


class CausalAttention(nn.Module):
    def __init__(self, d_in: int, d_out: int, context_length: int, dropout: float, qkv_bias: bool = False) -> None:
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Float[Tensor, "b t d_in"]) -> Float[Tensor, "b t d_out"]:
        return self.dropout(causal_weights(self.W_query(x), self.W_key(x))) @ self.W_value(x)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads))

    def forward(self, x: Float[Tensor, "b t d_in"]) -> Float[Tensor, "b t heads_d_out"]:
        return rearrange([head(x) for head in self.heads], "h b t d -> b t (h d)")


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("num_heads must divide d_out")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Float[Tensor, "b t d_in"]) -> Float[Tensor, "b t d_out"]:
        q, k, v = (
            rearrange(layer(x), "b t (h d) -> b h t d", h=self.num_heads)
            for layer in (self.W_query, self.W_key, self.W_value)
        )
        heads = self.dropout(causal_weights(q, k)) @ v
        return self.out_proj(rearrange(heads, "b h t d -> b t (h d)"))
