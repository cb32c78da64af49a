"""Right: an ABC of masks with subclasses in a registry; the function asks for the one called causal."""
from __future__ import annotations

from abc import ABC, abstractmethod
from enum import Enum
from typing import ClassVar, NamedTuple

import torch
from torch import Tensor


class Pair(NamedTuple):
    first: Tensor
    second: Tensor

    def __mul__(self, turn: "Turn") -> "Pair":
        return Pair(self.first * turn.cos - self.second * turn.sin, self.first * turn.sin + self.second * turn.cos)

    @classmethod
    def of(cls, x: Tensor) -> "Pair":
        return cls(*x.unflatten(-1, (-1, 2)).unbind(-1))

    def joined(self) -> Tensor:
        return torch.stack(tuple(self), dim=-1).flatten(-2)


class Turn(NamedTuple):
    cos: Tensor
    sin: Tensor


class Rule(Enum):
    CAUSAL = "causal"
    FULL = "full"


class Mask(ABC):
    kinds: ClassVar[dict[Rule, type[Mask]]] = {}

    def __init_subclass__(cls, rule: Rule) -> None:
        Mask.kinds[rule] = cls

    @abstractmethod
    def build(self, n: int, device: torch.device) -> Tensor: ...


class Causal(Mask, rule=Rule.CAUSAL):
    def build(self, n: int, device: torch.device) -> Tensor:
        return torch.ones(n, n, dtype=torch.bool, device=device).triu(1).logical_not()


class Full(Mask, rule=Rule.FULL):
    def build(self, n: int, device: torch.device) -> Tensor:
        return torch.ones(1, n, dtype=torch.bool, device=device)


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    i = torch.arange(d_k // 2, dtype=torch.float64, device=in_query_or_key.device)
    angle = token_positions.unsqueeze(-1) * theta ** (-2 * i / d_k)
    turn = Turn(angle.cos().to(in_query_or_key.dtype), angle.sin().to(in_query_or_key.dtype))
    return (Pair.of(in_query_or_key) * turn).joined()


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    if mask is None:
        mask = Mask.kinds[Rule.FULL]().build(K.shape[-2], K.device)
    scores = torch.matmul(Q, K.mT) / Q.shape[-1] ** 0.5
    return torch.matmul(scores.masked_fill(~mask, float("-inf")).softmax(-1), V)


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
    if d_model % num_heads:
        raise ValueError(f"{num_heads=} does not divide {d_model=}")
    n, d_head = in_features.shape[-2], d_model // num_heads
    positions = torch.arange(n, device=in_features.device) if token_positions is None else token_positions
    q, k, v = (
        torch.stack(torch.matmul(in_features, w.T).chunk(num_heads, -1), -3)
        for w in (q_proj_weight, k_proj_weight, v_proj_weight)
    )
    q, k = (rope(d_head, theta, max_seq_len, t, positions.unsqueeze(-2)) for t in (q, k))
    mixed = scaled_dot_product_attention(q, k, v, Mask.kinds[Rule("causal")]().build(n, in_features.device))
    return torch.matmul(torch.cat(mixed.unbind(-3), -1), o_proj_weight.T)
