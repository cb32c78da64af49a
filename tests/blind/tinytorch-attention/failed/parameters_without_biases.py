"""A layer that names its weights only.

Idea: parameters() leaves the biases out, so an optimizer would never move them.
Where: only when parameters() is called
"""

import numpy as np
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def row_softmax(t):
    e = (t - Tensor(t.data.max(axis=-1, keepdims=True))).exp()
    return e / e.sum(axis=-1, keepdims=True)


def scaled_dot_product_attention(Q, K, V, mask=None):
    s = Q @ K.transpose() / np.sqrt(Q.shape[-1])
    if mask is not None:
        s = s - 1e9 * (1 - mask)
    w = row_softmax(s)
    return w @ V, w


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        assert embed_dim % num_heads == 0, f"{num_heads} heads do not share {embed_dim} features evenly"
        self.embed_dim, self.num_heads = embed_dim, num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (Linear(embed_dim, embed_dim) for _ in range(4))

    def _split(self, t):
        return t.reshape(*t.shape[:-1], self.num_heads, self.head_dim).transpose(-3, -2)

    def _merge(self, t):
        t = t.transpose(-3, -2)
        return t.reshape(*t.shape[:-2], self.embed_dim)

    def forward(self, x, mask=None):
        if mask is not None and mask.ndim == 3:
            mask = mask[:, None]
        q, k, v = self._split(self.q_proj(x)), self._split(self.k_proj(x)), self._split(self.v_proj(x))
        heads, _ = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(self._merge(heads))

    __call__ = forward

    def parameters(self):
        return [p for layer in (self.q_proj, self.k_proj, self.v_proj, self.out_proj) for p in [layer.weight]]
