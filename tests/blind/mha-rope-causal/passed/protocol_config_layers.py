"""Right: a software engineer's answer with enums, a mask strategy and keyword calls everywhere."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import torch
from torch import Tensor
from torch.nn import functional as F


class MaskStrategy(Protocol):
    def build(self, length: int, device: torch.device) -> Tensor: ...


class CausalMask:
    def build(self, length: int, device: torch.device) -> Tensor:
        future = torch.ones((length, length), dtype=torch.bool, device=device).triu(diagonal=1)
        return ~future


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    exponents = torch.arange(start=0, end=d_k, step=2, dtype=torch.float64, device=in_query_or_key.device) / d_k
    angles = token_positions.unsqueeze(-1) / theta**exponents
    rotation = torch.polar(torch.ones_like(angles), angles)
    pairs = in_query_or_key.unflatten(dim=-1, sizes=(-1, 2)).to(torch.float64).contiguous()
    rotated = torch.view_as_real(torch.view_as_complex(pairs) * rotation)
    return rotated.flatten(start_dim=-2).to(in_query_or_key.dtype)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    scores = torch.matmul(Q, K.transpose(-2, -1)) / K.size(-1) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask=~mask, value=float("-inf"))
    return torch.matmul(F.softmax(scores, dim=-1), V)


@dataclass(frozen=True, kw_only=True)
class Attention:
    d_model: int
    num_heads: int
    max_seq_len: int
    theta: float
    strategy: MaskStrategy = field(default_factory=CausalMask)

    def __post_init__(self) -> None:
        if self.d_model % self.num_heads != 0:
            raise ValueError("num_heads must divide d_model")

    @property
    def head_width(self) -> int:
        return self.d_model // self.num_heads

    def split(self, x: Tensor) -> Tensor:
        return x.unflatten(-1, (self.num_heads, self.head_width)).transpose(-3, -2)

    def rotate(self, x: Tensor, positions: Tensor) -> Tensor:
        return rope(
            d_k=self.head_width,
            theta=self.theta,
            max_seq_len=self.max_seq_len,
            in_query_or_key=x,
            token_positions=positions,
        )

    def __call__(self, x: Tensor, weights: tuple[Tensor, Tensor, Tensor, Tensor], positions: Tensor) -> Tensor:
        wq, wk, wv, wo = weights
        q, k, v = (self.split(F.linear(x, w)) for w in (wq, wk, wv))
        mask = self.strategy.build(x.size(-2), x.device)
        heads = scaled_dot_product_attention(
            Q=self.rotate(q, positions), K=self.rotate(k, positions), V=v, mask=mask
        )
        return F.linear(heads.transpose(-3, -2).flatten(-2), wo)


def multihead_self_attention_with_rope(
    d_model,
    num_heads,
    max_seq_len,
    theta,
    q_proj_weight,
    k_proj_weight,
    v_proj_weight,
    o_proj_weight,
    in_features,
    token_positions=None,
):
    attention = Attention(d_model=d_model, num_heads=num_heads, max_seq_len=max_seq_len, theta=theta)
    if token_positions is None:
        token_positions = torch.arange(in_features.size(-2), device=in_features.device)
    weights = (q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight)
    return attention(in_features, weights, token_positions.unsqueeze(-2))
