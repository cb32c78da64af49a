from collections import namedtuple

import numpy as np
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor

Attention = namedtuple("Attention", "output weights")


def softmax_rows(scores, allowed=None):
    """exp(x - max) over its sum, row by row; the maximum is a constant, it changes no share."""
    if allowed is not None:
        # what is hidden must not enter the maximum either
        scores = scores * Tensor(allowed) + Tensor((allowed - 1) * 1e9)
    e = (scores - Tensor(scores.data.max(-1, keepdims=True))).exp()
    return e / e.sum(axis=-1, keepdims=True)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose() / (K.shape[-1] ** 0.5)
    allowed = None if mask is None else (mask.data > 0.5).astype(scores.data.dtype)
    weights = softmax_rows(scores, allowed)
    return Attention(weights @ V, weights)


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads, *, bias=True):
        if num_heads < 1 or embed_dim % num_heads:
            raise ValueError(f"{embed_dim} % {num_heads} != 0")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim, bias)
        self.k_proj = Linear(embed_dim, embed_dim, bias)
        self.v_proj = Linear(embed_dim, embed_dim, bias)
        self.out_proj = Linear(embed_dim, embed_dim, bias)

    @property
    def projections(self):
        return self.q_proj, self.k_proj, self.v_proj, self.out_proj

    def forward(self, x, mask=None):
        b, s, e = x.shape
        parts = []
        for proj in self.projections[:3]:
            y = x @ proj.weight + proj.bias
            parts.append(y.reshape((b, s, self.num_heads, self.head_dim)).transpose(-3, -2))
        if mask is not None:
            full = mask.data.reshape((-1, s, s))
            mask = Tensor(full[:, np.newaxis, :, :])
        heads = scaled_dot_product_attention(*parts, mask=mask).output
        merged = heads.transpose(-3, -2).reshape((b, s, e))
        return merged @ self.out_proj.weight + self.out_proj.bias

    def parameters(self):
        return tuple(p for proj in self.projections for p in proj.parameters())
