"""Queries of all heads are stacked as full-width vectors with foreign features set to zero, so one attention of (heads * seq) queries does everything."""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None, width=None):
    """width is the d of the scale, where the vectors are padded with zeros."""
    scores = Q @ K.transpose() / float(width or Q.shape[-1]) ** 0.5
    if mask is not None:
        scores = scores + Tensor(np.where(mask.data == 0, -1e9, 0.0))
    weights = Softmax()(scores)
    return weights @ V, weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads:
            raise ValueError("num_heads must divide embed_dim")
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (Linear(embed_dim, embed_dim) for _ in range(4))

    def forward(self, x, mask=None):
        b, s, e = x.shape
        h = self.num_heads
        own = Tensor(np.kron(np.eye(h), np.ones((1, self.head_dim))).reshape(1, h, 1, e).astype(x.data.dtype))
        queries = (self.q_proj(x).reshape(b, 1, s, e) * own).reshape(b, h * s, e)
        if mask is not None:
            mask = Tensor(np.tile(np.broadcast_to(mask.data, (b, s, s)), (1, h, 1)))
        out, _ = scaled_dot_product_attention(queries, self.k_proj(x), self.v_proj(x), mask, width=self.head_dim)
        return self.out_proj((out.reshape(b, h, s, e) * own).sum(axis=1))

    def parameters(self):
        layers = (self.q_proj, self.k_proj, self.v_proj, self.out_proj)
        return [tensor for layer in layers for tensor in (layer.weight, layer.bias)]
