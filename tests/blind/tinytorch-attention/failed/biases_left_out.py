"""Multi-head attention with x @ weight and nothing more.

Wrong: the biases are not added.
When: a bias is not zero (and for the gradients of biases, always).
Spec: «All projections are at work, weights and biases, whether you call the layers or use their `weight` and `bias` yourself.»
"""

from __future__ import annotations

import numpy as np
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor

PROJECTIONS = ("q_proj", "k_proj", "v_proj", "out_proj")


def softmax(scores: Tensor) -> Tensor:
    highest = scores.data.max(axis=-1, keepdims=True)
    powers = (scores - highest).exp()
    return powers / powers.sum(axis=-1, keepdims=True)


def bias_of(mask: Tensor) -> np.ndarray:
    return np.where(mask.data != 0, 0.0, -np.inf)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    scores = (Q * Q.shape[-1] ** -0.5) @ K.transpose()
    if mask is not None:
        scores = scores + bias_of(mask)
    weights = softmax(scores)
    return weights @ V, weights


class MultiHeadAttention:
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        self.head_dim, rest = divmod(embed_dim, num_heads)
        if rest:
            raise ValueError(f"{num_heads} heads cannot share {embed_dim} features")
        self.embed_dim, self.num_heads = embed_dim, num_heads
        for name in PROJECTIONS:
            setattr(self, name, Linear(embed_dim, embed_dim))

    def project(self, x: Tensor, name: str) -> Tensor:
        layer = getattr(self, name)
        return x @ layer.weight

    def heads(self, x: Tensor) -> Tensor:
        return x.reshape(*x.shape[:2], self.num_heads, self.head_dim).transpose(1, 2)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        batch, seq, _ = x.shape
        q, k, v = (self.heads(self.project(x, name)) for name in PROJECTIONS[:3])
        if mask is not None:
            mask = Tensor(np.broadcast_to(mask.data, (batch, seq, seq))[:, None])
        mixed = scaled_dot_product_attention(q, k, v, mask)[0]
        merged = mixed.transpose(1, 2).reshape(batch, seq, self.embed_dim)
        return self.project(merged, "out_proj")

    def parameters(self) -> list[Tensor]:
        layers = [getattr(self, name) for name in PROJECTIONS]
        return [layer.weight for layer in layers] + [layer.bias for layer in layers]
