"""Causal attention of GPT-2, one step a line."""
from __future__ import annotations

import torch
from einops import einsum, rearrange
from jaxtyping import Float
from torch import Tensor, nn


def causal(n: int) -> Tensor:
    """True where a key comes after the query."""
    index = torch.arange(n)
    return index[None, :] > index[:, None]


class CausalAttention(nn.Module):
    def __init__(self, d_in: int, d_out: int, context_length: int, dropout: float, qkv_bias: bool = False) -> None:
        super().__init__()
        self.context_length = context_length
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=qkv_bias) for _ in range(3))
        self.drop = nn.Dropout(dropout)

    def forward(self, x: Float[Tensor, "b n d_in"]) -> Float[Tensor, "b n d_out"]:
        assert x.shape[1] <= self.context_length
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = einsum(q, k, "b i e, b j e -> b i j").div(q.shape[-1] ** 0.5)
        shares = scores.masked_fill(causal(x.shape[1]).to(x.device), -torch.inf).softmax(dim=-1)
        return einsum(self.drop(shares), v, "b i j, b j e -> b i e")


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in: int, d_out: int, context_length: int, dropout: float, num_heads: int, qkv_bias: bool = False) -> None:
        super().__init__()
        self.heads = nn.ModuleList()
        for _ in range(num_heads):
            self.heads.append(CausalAttention(d_in, d_out, context_length, dropout, qkv_bias=qkv_bias))

    def forward(self, x: Float[Tensor, "b n d_in"]) -> Float[Tensor, "b n d_out"]:
        return rearrange([head(x) for head in self.heads], "h b n e -> b n (h e)")


class MultiHeadAttention(nn.Module):
    later: Tensor

    def __init__(
        self, d_in: int, d_out: int, context_length: int, dropout: float, num_heads: int, qkv_bias: bool = False
    ) -> None:
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError(f"{num_heads} heads cannot share {d_out} features")
        if not 0.0 <= dropout <= 1.0:
            raise ValueError("dropout must be between 0 and 1")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out, bias=True)
        self.drop = nn.Dropout(p=dropout)
        index = torch.arange(context_length)
        self.register_buffer("later", index[None, :] > index[:, None], persistent=False)

    def _heads(self, t: Float[Tensor, "b n d"]) -> Float[Tensor, "b h n e"]:
        return rearrange(t, "b n (h e) -> b h n e", h=self.num_heads)

    def forward(self, x: Float[Tensor, "b n d_in"]) -> Float[Tensor, "b n d_out"]:
        n = x.shape[1]
        if n > self.later.shape[0]:
            raise ValueError("too many tokens")
        q, k, v = (self._heads(layer(x)) for layer in (self.W_query, self.W_key, self.W_value))
        scores = einsum(q, k, "b h i e, b h j e -> b h i j") / q.shape[-1] ** 0.5
        scores = torch.where(self.later[:n, :n], -torch.inf, scores)
        shares = self.drop(scores.softmax(dim=-1))
        mixed = einsum(shares, v, "b h i j, b h j e -> b h i e")
        return self.out_proj(rearrange(mixed, "b h n e -> b n (h e)"))
