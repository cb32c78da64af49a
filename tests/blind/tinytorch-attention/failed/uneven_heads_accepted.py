"""Multi-head attention that finds out about uneven heads when it is too late.

Wrong: the constructor does not complain; forward fails in reshape.
When: embed_dim % num_heads != 0.
Spec: «An `embed_dim` that `num_heads` does not divide raises `ValueError` (or `AssertionError`) when the layer is made.»
"""

import math

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    d = Q.shape[-1]
    scores = Q.matmul(K.transpose(-2, -1)) / math.sqrt(d)
    if mask is not None:
        scores = scores + Tensor((1.0 - mask.data) * -1e9)
    weights = Softmax()(scores, dim=-1)
    output = weights.matmul(V)
    return output, weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def split_heads(self, t):
        if self.head_dim * self.num_heads != self.embed_dim:
            raise ValueError("embed_dim must be divisible by num_heads")
        batch, seq, _ = t.shape
        return t.reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)

    def merge_heads(self, t):
        batch, _, seq, _ = t.shape
        return t.transpose(1, 2).reshape(batch, seq, self.embed_dim)

    def forward(self, x, mask=None):
        Q = self.split_heads(self.q_proj(x))
        K = self.split_heads(self.k_proj(x))
        V = self.split_heads(self.v_proj(x))
        if mask is not None and mask.ndim == 3:
            mask = mask.reshape(mask.shape[0], 1, mask.shape[1], mask.shape[2])
        context, _ = scaled_dot_product_attention(Q, K, V, mask)
        return self.out_proj(self.merge_heads(context))

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self):
        found = []
        for layer in (self.q_proj, self.k_proj, self.v_proj, self.out_proj):
            found.extend(layer.parameters())
        return found
