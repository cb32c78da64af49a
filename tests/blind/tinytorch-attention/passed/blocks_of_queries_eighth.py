import math

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor

BLOCK = 8


def scaled_dot_product_attention(Q, K, V, mask=None):
    scale = 1 / math.sqrt(Q.shape[-1])
    scores = Q @ K.transpose(-2, -1) * scale
    if mask is not None:
        scores = scores + Tensor(np.where(mask.data, 0.0, -1e9))
    weights = Softmax()(scores)
    return weights @ V, weights


class HeadSplit:
    """Knows how to go from features to heads and back."""

    def __init__(self, heads, width):
        self.heads, self.width = heads, width

    def out(self, t):
        *front, features = t.shape
        return t.reshape(*front, self.heads, self.width).transpose(-2, -3)

    def back(self, t):
        t = t.transpose(-3, -2)
        return t.reshape(*t.shape[:-2], self.heads * self.width)


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads:
            raise ValueError("uneven heads")
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)
        self._split = HeadSplit(num_heads, self.head_dim)

    def forward(self, x, mask=None):
        q, k, v = (self._split.out(p(x)) for p in (self.q_proj, self.k_proj, self.v_proj))
        m = None
        if mask is not None:
            m = Tensor(np.expand_dims(mask.data, -3))
        y, _ = scaled_dot_product_attention(q, k, v, m)
        return self.out_proj(self._split.back(y))

    def parameters(self):
        out = []
        for p in (self.q_proj, self.k_proj, self.v_proj, self.out_proj):
            out.append(p.weight)
            out.append(p.bias)
        return out
