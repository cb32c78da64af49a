"""Results as a named tuple; the layer gets its attention as a default argument."""
from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


class Attended(NamedTuple):
    output: Tensor
    attention_weights: Tensor


def scaled_dot_product_attention(
    Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Attended:
    if scale is None:
        scale = float(np.sqrt(K.shape[-1]))
    scores: Tensor = (Q @ K.transpose(-1, -2)) / scale
    if mask is not None:
        with np.errstate(divide="ignore"):
            scores = scores + np.log(mask.data)
    weights = Softmax()(scores)
    return Attended(output=weights @ V, attention_weights=weights)


class MultiHeadAttention:
    embed_dim: int
    num_heads: int
    head_dim: int

    def __init__(self, embed_dim: int, num_heads: int, attend: Callable[..., Attended] = scaled_dot_product_attention) -> None:
        if embed_dim % num_heads:
            raise ValueError("uneven heads")
        self.attend = attend
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim, bias=True)
        self.k_proj = Linear(embed_dim, embed_dim, bias=True)
        self.v_proj = Linear(embed_dim, embed_dim, bias=True)
        self.out_proj = Linear(embed_dim, embed_dim, bias=True)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        shape = (x.shape[0], x.shape[1], self.num_heads, self.head_dim)
        q, k, v = [layer(x).reshape(shape).transpose(1, 2) for layer in (self.q_proj, self.k_proj, self.v_proj)]
        if mask is not None:
            mask = mask[:, None] if mask.ndim == 3 else mask
        attended = self.attend(q, k, v, mask)
        return self.out_proj(attended.output.transpose(2, 1).reshape(x.shape))

    def parameters(self) -> tuple[Tensor, ...]:
        return tuple(p for layer in (self.out_proj, self.v_proj, self.k_proj, self.q_proj) for p in layer.parameters())
