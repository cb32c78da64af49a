"""Adds an array of zeros and minus infinities, made with np.where."""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    """Attention over the last two axes, with any number of leading ones."""
    scores = (Q @ K.transpose()) * Q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores + Tensor(np.where(mask.data > 0.5, 0.0, -np.inf))
    weights = Softmax()(scores)
    return weights @ V, weights


class MultiHeadAttention:
    NAMES = ("q_proj", "k_proj", "v_proj", "out_proj")

    def __init__(self, embed_dim, num_heads):
        assert embed_dim % num_heads == 0, "num_heads must divide embed_dim"
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        for name in self.NAMES:
            setattr(self, name, Linear(embed_dim, embed_dim))

    def forward(self, x, mask=None):
        b, s, e = x.shape
        heads = [
            getattr(self, name).forward(x).reshape(b, s, self.num_heads, self.head_dim).transpose(1, 2)
            for name in self.NAMES[:3]
        ]
        if mask is not None and mask.ndim > 2:
            mask = Tensor(np.expand_dims(mask.data, -3))
        out = scaled_dot_product_attention(*heads, mask=mask)[0]
        return self.out_proj.forward(out.transpose(1, 2).reshape(b, s, e))

    def parameters(self):
        return sum(([getattr(self, n).weight, getattr(self, n).bias] for n in self.NAMES), [])
