"""A layer that does its first head and calls itself for the rest.

Idea: Recursion takes one head after another, which is a loop over heads without the word for.
Where: everywhere
Rule: no-loop-over-heads
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
        if embed_dim % num_heads:
            raise ValueError("embed_dim must be divisible by num_heads")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def _rest(self, q, k, v, w, mask):
        d = self.head_dim
        out, _ = scaled_dot_product_attention(q[..., :d], k[..., :d], v[..., :d], mask)
        out = out @ w[:d]
        if q.shape[-1] == d:
            return out
        return out + self._rest(q[..., d:], k[..., d:], v[..., d:], w[d:], mask)

    def forward(self, x, mask=None):
        heads = self._rest(self.q_proj(x), self.k_proj(x), self.v_proj(x), self.out_proj.weight, mask)
        return heads + self.out_proj.bias

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self):
        return self.q_proj.parameters() + self.k_proj.parameters() + self.v_proj.parameters() + self.out_proj.parameters()
