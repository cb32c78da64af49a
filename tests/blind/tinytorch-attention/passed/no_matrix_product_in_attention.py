"""Scores and averages by broadcasting and sums instead of matrix products."""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    *lead, s, d = Q.shape
    scores = (Q.reshape(*lead, s, 1, d) * K.reshape(*lead, 1, s, d)).sum(axis=-1) / d**0.5
    if mask is not None:
        visible = mask.data.astype(scores.data.dtype)
        scores = scores * Tensor(visible) + Tensor((visible - 1.0) * 1e9)
    weights = Softmax()(scores)
    output = (weights.reshape(*lead, s, s, 1) * V.reshape(*lead, 1, s, d)).sum(axis=-2)
    return output, weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads:
            raise ValueError("num_heads must divide embed_dim")
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (Linear(embed_dim, embed_dim) for _ in range(4))

    def forward(self, x, mask=None):
        batch, seq, width = x.shape
        split = lambda t: t.reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)
        if mask is not None:
            mask = Tensor(np.stack([np.broadcast_to(mask.data, (batch, seq, seq))], axis=1))
        mixed, _ = scaled_dot_product_attention(split(self.q_proj(x)), split(self.k_proj(x)), split(self.v_proj(x)), mask)
        return self.out_proj(mixed.transpose(1, 2).reshape(batch, seq, width))

    def parameters(self):
        layers = (self.q_proj, self.k_proj, self.v_proj, self.out_proj)
        return [tensor for layer in layers for tensor in (layer.weight, layer.bias)]
