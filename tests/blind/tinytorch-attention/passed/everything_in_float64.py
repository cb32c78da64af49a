"""Computes in float64 by adding a float64 zero, and subtracts the maximum of visible scores only."""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor

ZERO = np.float64(0.0)


def scaled_dot_product_attention(Q, K, V, mask=None):
    root = np.sqrt(np.float64(Q.shape[-1]))
    scores = (Q + ZERO) @ (K + ZERO).transpose() / root
    visible = np.ones(scores.shape) if mask is None else np.broadcast_to(mask.data, scores.shape)
    shown = np.where(visible > 0, scores.data, -np.inf)
    shift = np.where(visible > 0, -shown.max(axis=-1, keepdims=True), -np.inf)
    e = (scores + Tensor(shift)).exp()
    weights = e / e.sum(axis=-1, keepdims=True)
    return weights @ V, weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads != 0:
            raise AssertionError("embed_dim % num_heads must be 0")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        def heads(t):
            return t.reshape(t.shape[0], t.shape[1], self.num_heads, -1).transpose(1, 2)

        if mask is not None:
            mask = Tensor(mask.data[..., None, :, :])
        out, _ = scaled_dot_product_attention(heads(self.q_proj(x)), heads(self.k_proj(x)), heads(self.v_proj(x)), mask)
        return self.out_proj(out.transpose(1, 2).reshape(x.shape[0], x.shape[1], -1))

    def parameters(self):
        return [*self._pair(self.q_proj), *self._pair(self.k_proj), *self._pair(self.v_proj), *self._pair(self.out_proj)]

    @staticmethod
    def _pair(layer):
        return layer.weight, layer.bias
