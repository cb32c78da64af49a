"""Dot products as written in the book: multiply, then sum over the features."""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = (Q[..., :, None, :] * K[..., None, :, :]).sum(axis=-1) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores + Tensor(np.where(mask.data == 0, -np.inf, 0.0))
    weights = Softmax()(scores)
    output = (weights[..., None] * V[..., None, :, :]).sum(axis=-2)
    return output, weights


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

    def forward(self, x, mask=None):
        b, s, e = x.shape
        q = self.q_proj(x).reshape(b, s, self.num_heads, self.head_dim).transpose(1, 2)
        k = self.k_proj(x).reshape(b, s, self.num_heads, self.head_dim).transpose(1, 2)
        v = self.v_proj(x).reshape(b, s, self.num_heads, self.head_dim).transpose(1, 2)
        m = None if mask is None else mask[..., None, :, :]
        o, _ = scaled_dot_product_attention(q, k, v, m)
        return self.out_proj(o.transpose(1, 2).reshape(b, s, e))

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self):
        return self.q_proj.parameters() + self.k_proj.parameters() + self.v_proj.parameters() + self.out_proj.parameters()
