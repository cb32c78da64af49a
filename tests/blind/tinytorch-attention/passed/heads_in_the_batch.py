"""Folds heads into the batch, so that the attention function never sees more than three axes; the mask is repeated for them with np.repeat."""

import math

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q.matmul(K.transpose()) * (1.0 / math.sqrt(Q.shape[-1]))
    if mask is not None:
        scores = scores + Tensor((1.0 - mask.data) * -1e9)
    weights = Softmax()(scores)
    return weights.matmul(V), weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads:
            raise ValueError("num_heads must divide embed_dim")
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (Linear(embed_dim, embed_dim) for _ in range(4))

    def fold(self, t):
        b, s, _ = t.shape
        return t.reshape(b, s, self.num_heads, self.head_dim).transpose(1, 2).reshape(b * self.num_heads, s, self.head_dim)

    def unfold(self, t, b):
        return t.reshape(b, self.num_heads, t.shape[1], self.head_dim).transpose(1, 2).reshape(b, t.shape[1], self.embed_dim)

    def forward(self, x, mask=None):
        b, s, _ = x.shape
        if mask is not None:
            mask = Tensor(np.repeat(np.broadcast_to(mask.data, (b, s, s)), self.num_heads, axis=0))
        attended, _ = scaled_dot_product_attention(self.fold(self.q_proj(x)), self.fold(self.k_proj(x)), self.fold(self.v_proj(x)), mask)
        return self.out_proj(self.unfold(attended, b))

    def parameters(self):
        layers = (self.q_proj, self.k_proj, self.v_proj, self.out_proj)
        return [tensor for layer in layers for tensor in (layer.weight, layer.bias)]
