"""Attention over tinytorch that lists weights only.

Idea: parameters() leaves out the biases.
Where: only parameters()
"""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    lead, (n, d) = Q.shape[:-2], Q.shape[-2:]
    every_q = Q.reshape(*lead, n, 1, d)
    every_k = K.reshape(*lead, 1, n, d)
    scores = (every_q * every_k).sum(axis=-1) * d**-0.5
    if mask is not None:
        scores = scores + (mask - 1.0) * 1e9
    weights = Softmax()(scores)
    output = (weights.reshape(*lead, n, n, 1) * V.reshape(*lead, 1, n, d)).sum(axis=-2)
    return output, weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        assert not embed_dim % num_heads
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    @property
    def head_dim(self):
        return self.embed_dim // self.num_heads

    def forward(self, x, mask=None):
        batch, seq, embed = x.shape
        split = lambda y: y.reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)
        if mask is not None:
            mask = mask.reshape(-1, 1, seq, seq)
        y = scaled_dot_product_attention(split(self.q_proj(x)), split(self.k_proj(x)), split(self.v_proj(x)), mask)[0]
        return self.out_proj(y.transpose(1, 2).reshape(batch, seq, embed))

    def parameters(self):
        layers = self.q_proj, self.k_proj, self.v_proj, self.out_proj
        return [layer.weight for layer in layers]
