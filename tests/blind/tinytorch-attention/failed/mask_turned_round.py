"""Attention that transposes its mask.

Idea: Rows and columns of the mask are exchanged: it says which queries a key may be asked by.
Where: only when there is a mask that is not symmetric
"""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear

NEG = -1e9


def scaled_dot_product_attention(Q, K, V, mask=None):
    # scores: how well each query fits each key
    width = K.shape[-1]
    energy = Q.matmul(K.transpose(-1, -2)) * (1 / np.sqrt(width))

    # hide what may not be seen
    if mask is not None:
        hidden = np.logical_not(mask.data.swapaxes(-1, -2))
        energy = energy + hidden * NEG

    # weights, then the average of the values
    attention = Softmax()(energy, -1)
    context = attention.matmul(V)
    return context, attention


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
        return [p for layer in (self.q_proj, self.k_proj, self.v_proj, self.out_proj) for p in layer.parameters()]
