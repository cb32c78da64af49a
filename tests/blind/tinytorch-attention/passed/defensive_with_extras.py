"""Checks of everything that the spec rules out, and further parameters with defaults."""
from __future__ import annotations

import math

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def _check_mask(mask: Tensor, shape: tuple[int, ...]) -> np.ndarray:
    numbers = np.asarray(mask.data)
    if not np.isin(numbers, (0.0, 1.0)).all():
        raise ValueError("a mask holds 0.0 and 1.0 only")
    wide = np.broadcast_to(numbers, shape)
    if (wide.max(axis=-1) == 0).any():
        raise ValueError("a row is hidden as a whole")
    return wide


def scaled_dot_product_attention(
    Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None, dropout: float = 0.0, hidden_score: float = -np.inf
) -> tuple[Tensor, Tensor]:
    for name, t in (("Q", Q), ("K", K), ("V", V)):
        if not isinstance(t, Tensor):
            raise TypeError(f"{name} is no Tensor")
        if t.ndim < 3:
            raise ValueError(f"{name} has {t.ndim} axes")
    if Q.shape[-1] != K.shape[-1]:
        raise ValueError("queries and keys differ in width")
    if dropout:
        raise NotImplementedError("no dropout here")
    scores = Q.matmul(K.transpose(-2, -1)) * (1 / math.sqrt(Q.shape[-1]))
    if mask is not None:
        scores = scores + Tensor(np.where(_check_mask(mask, scores.shape) == 1.0, 0.0, hidden_score))
    weights = Softmax()(scores, dim=-1)
    assert weights.shape == scores.shape
    return weights.matmul(V), weights


class MultiHeadAttention:
    def __init__(self, embed_dim: int, num_heads: int, dropout: float = 0.0) -> None:
        if embed_dim <= 0 or num_heads <= 0:
            raise ValueError("sizes are positive")
        if embed_dim % num_heads != 0:
            raise ValueError(f"embed_dim ({embed_dim}) must be divisible by num_heads ({num_heads})")
        self.embed_dim = int(embed_dim)
        self.num_heads = int(num_heads)
        self.head_dim = self.embed_dim // self.num_heads
        self.dropout = dropout
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def _split(self, x: Tensor) -> Tensor:
        batch, seq, width = x.shape
        assert width == self.embed_dim
        return x.reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)

    def forward(self, x: Tensor, mask: Tensor | None = None, return_weights: bool = False):
        if x.ndim != 3:
            raise ValueError("x has the shape (batch, seq, embed_dim)")
        if mask is not None:
            numbers = mask.data
            mask = Tensor(numbers.reshape((1,) * (3 - numbers.ndim) + numbers.shape)[:, None])
        q, k, v = self._split(self.q_proj(x)), self._split(self.k_proj(x)), self._split(self.v_proj(x))
        attended, weights = scaled_dot_product_attention(q, k, v, mask, self.dropout)
        result = self.out_proj(attended.transpose(1, 2).reshape(*x.shape))
        return (result, weights) if return_weights else result

    def __call__(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        return self.forward(x, mask)

    def parameters(self) -> list[Tensor]:
        seen: dict[int, Tensor] = {}
        for layer in (self.q_proj, self.k_proj, self.v_proj, self.out_proj):
            for parameter in (layer.weight, layer.bias):
                seen[id(parameter)] = parameter
        return list(seen.values())
