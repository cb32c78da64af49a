"""The attention function returns a named tuple, and the layer calls it through a functools.partial kept as a class attribute."""

from functools import partial
from typing import NamedTuple

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


class Attended(NamedTuple):
    output: Tensor
    attention_weights: Tensor


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Attended:
    q = Q / float(K.shape[-1] ** 0.5)
    scores = q @ K.transpose()
    if mask is not None:
        hidden = np.broadcast_to(mask.data == 0, scores.shape)
        with np.errstate(invalid="ignore"):
            scores = scores + Tensor(np.where(hidden, -np.inf, 0.0))
    weights = Softmax()(scores)
    return Attended(output=weights @ V, attention_weights=weights)


class MultiHeadAttention:
    _attend = staticmethod(partial(scaled_dot_product_attention))

    def __init__(self, embed_dim: int, num_heads: int) -> None:
        if embed_dim % num_heads:
            raise ValueError("num_heads must divide embed_dim")
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (Linear(embed_dim, embed_dim) for _ in range(4))

    def __call__(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        return self.forward(x, mask)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        shape = (*x.shape[:2], self.num_heads, self.head_dim)
        q, k, v = (p(x).reshape(*shape).transpose(1, 2) for p in (self.q_proj, self.k_proj, self.v_proj))
        if mask is not None:
            mask = Tensor(mask.data[:, None] if mask.data.ndim > 2 else mask.data)
        return self.out_proj(self._attend(q, k, v, mask).output.transpose(1, 2).reshape(*x.shape))

    def parameters(self):
        layers = (self.q_proj, self.k_proj, self.v_proj, self.out_proj)
        return tuple([tensor for layer in layers for tensor in (layer.weight, layer.bias)])
