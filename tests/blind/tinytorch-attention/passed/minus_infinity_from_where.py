"""Hidden scores get minus infinity from np.where; everything else is operators."""

import math

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor

softmax = Softmax()


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = (Q @ K.transpose(-2, -1)) / math.sqrt(K.shape[-1])
    if mask is not None:
        scores = scores + Tensor(np.where(mask.data == 0, -np.inf, 0.0))
    weights = softmax(scores)
    return weights @ V, weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        assert embed_dim % num_heads == 0, f"{num_heads} heads do not share {embed_dim} features evenly"
        self.embed_dim, self.num_heads = embed_dim, num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (Linear(embed_dim, embed_dim) for _ in range(4))

    def _split(self, t):
        return t.reshape(*t.shape[:-1], self.num_heads, self.head_dim).transpose(-3, -2)

    def forward(self, x, mask=None):
        if mask is not None and mask.ndim == 3:
            mask = mask[:, None]
        heads, _ = scaled_dot_product_attention(
            self._split(self.q_proj(x)), self._split(self.k_proj(x)), self._split(self.v_proj(x)), mask
        )
        return self.out_proj(heads.transpose(-3, -2).reshape(x.shape))

    __call__ = forward

    def parameters(self):
        return [p for layer in (self.q_proj, self.k_proj, self.v_proj, self.out_proj) for p in layer.parameters()]
