"""rope has nothing to learn, so it runs under no_grad, and queries and keys get no gradient."""
# expect: no gradient through rope
from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor


class Rotation(Protocol):
    def __call__(self, x: Tensor, positions: Tensor) -> Tensor: ...


@dataclass(frozen=True)
class Frequencies:
    width: int
    theta: float

    def angles(self, positions: Tensor, dtype: torch.dtype) -> Tensor:
        exponents = torch.arange(0, self.width, 2, device=positions.device, dtype=torch.float64) / self.width
        return (positions.unsqueeze(-1) * torch.pow(float(self.theta), -exponents)).to(dtype)


@torch.no_grad()
def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    angles = Frequencies(d_k, theta).angles(token_positions, in_query_or_key.dtype)
    cos, sin = angles.cos(), angles.sin()
    even, odd = in_query_or_key.unflatten(-1, (-1, 2)).unbind(-1)
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1).flatten(start_dim=-2)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.size(-1))
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not(), float("-inf"))
    return scores.softmax(dim=-1) @ V


@dataclass(frozen=True)
class Geometry:
    d_model: int
    heads: int

    def __post_init__(self) -> None:
        if self.d_model % self.heads:
            raise ValueError(f"d_model={self.d_model} is not a multiple of num_heads={self.heads}")

    @property
    def width(self) -> int:
        return self.d_model // self.heads

    def split(self, x: Tensor) -> Tensor:
        return x.unflatten(-1, (self.heads, self.width)).transpose(-3, -2)

    def merge(self, x: Tensor) -> Tensor:
        return x.transpose(-3, -2).flatten(-2)


def multihead_self_attention_with_rope(
    d_model: int,
    num_heads: int,
    max_seq_len: int,
    theta: float,
    q_proj_weight: Tensor,
    k_proj_weight: Tensor,
    v_proj_weight: Tensor,
    o_proj_weight: Tensor,
    in_features: Tensor,
    token_positions: Tensor | None = None,
) -> Tensor:
    geometry = Geometry(d_model, num_heads)
    positions = torch.arange(in_features.size(-2), device=in_features.device) if token_positions is None else token_positions
    per_head = positions.unsqueeze(-2)
    rotate: Rotation = lambda x, p: rope(geometry.width, theta, max_seq_len, x, p)
    project: Callable[[Tensor], Tensor] = lambda weight: geometry.split(in_features @ weight.mT)
    query, key = (rotate(project(weight), per_head) for weight in (q_proj_weight, k_proj_weight))
    return geometry.merge(scaled_dot_product_attention(query, key, project(v_proj_weight))) @ o_proj_weight.mT
