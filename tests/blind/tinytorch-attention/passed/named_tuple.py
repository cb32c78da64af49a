"""Returns a named tuple, and takes the attention function as a default argument."""

from typing import NamedTuple

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


class Attention(NamedTuple):
    output: Tensor
    weights: Tensor


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Attention:
    scores = Q.matmul(K.transpose()) / Q.shape[-1] ** 0.5
    if mask is not None:
        bias = np.zeros(mask.shape)
        bias[mask.data == 0] = -np.inf
        scores = scores + Tensor(bias)
    weights = Softmax()(scores, dim=-1)
    return Attention(weights.matmul(V), weights)


class MultiHeadAttention:
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        if embed_dim % num_heads:
            raise ValueError(f"{num_heads} heads do not divide {embed_dim} features")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    @property
    def head_dim(self) -> int:
        return self.embed_dim // self.num_heads

    def _split(self, x: Tensor) -> Tensor:
        return x.reshape(*x.shape[:2], self.num_heads, self.head_dim).transpose(1, 2)

    def forward(self, x: Tensor, mask: Tensor | None = None, attend=scaled_dot_product_attention) -> Tensor:
        if mask is not None and mask.ndim == 3:
            mask = mask.reshape(mask.shape[0], 1, *mask.shape[1:])
        result = attend(self._split(self.q_proj(x)), self._split(self.k_proj(x)), self._split(self.v_proj(x)), mask)
        return self.out_proj(result.output.transpose(1, 2).reshape(*x.shape))

    def __call__(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        return self.forward(x, mask)

    def parameters(self) -> tuple[Tensor, ...]:
        projections = (self.q_proj, self.k_proj, self.v_proj, self.out_proj)
        return tuple(p.weight for p in projections) + tuple(p.bias for p in projections)
