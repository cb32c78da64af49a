"""Causal attention as modules, with einops: one function attends for both, the mask is made in the call."""

import torch
from einops import einsum, rearrange
from torch import Tensor, nn


def causal_weights(q: Tensor, k: Tensor) -> Tensor:
    place = torch.arange(q.size(-2), device=q.device)
    logits = einsum(q, k, "... i d, ... j d -> ... i j") * k.size(-1) ** -0.5
    logits = torch.where(place <= place[:, None], logits, -torch.inf)
    e = torch.exp(logits - logits.amax(dim=-1, keepdim=True))
    return e / e.sum(dim=-1, keepdim=True)


class CausalAttention(nn.Module):
    def __init__(self, d_in: int, d_out: int, context_length: int, dropout: float, qkv_bias: bool = False) -> None:
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, qkv_bias)
        self.drop = nn.Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        weights = causal_weights(self.W_query(x), self.W_key(x))
        return einsum(self.drop(weights), self.W_value(x), "b i j, b j d -> b i d")


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(
        self, d_in: int, d_out: int, context_length: int, dropout: float, num_heads: int, qkv_bias: bool = False
    ) -> None:
        super().__init__()
        self.parts = nn.ModuleList()
        for _ in range(num_heads):
            self.parts.append(CausalAttention(d_in, d_out, context_length, dropout, qkv_bias))

    def forward(self, x: Tensor) -> Tensor:
        return rearrange([part(x) for part in self.parts], "h b t d -> b t (h d)")


class MultiHeadAttention(nn.Module):
    def __init__(
        self, d_in: int, d_out: int, context_length: int, dropout: float, num_heads: int, qkv_bias: bool = False
    ) -> None:
        super().__init__()
        assert d_out % num_heads == 0, f"{num_heads} heads cannot share {d_out} features"
        self.num_heads = num_heads
        self.to_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_v = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_out = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)

    def split(self, x: Tensor) -> Tensor:
        return rearrange(x, "b t (h d) -> b h t d", h=self.num_heads)

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = self.split(self.to_q(x)), self.split(self.to_k(x)), self.split(self.to_v(x))
        weights = self.drop(causal_weights(q, k))
        context = einsum(weights, v, "b h i j, b h j d -> b h i d")
        return self.to_out(rearrange(context, "b h t d -> b t (h d)"))
