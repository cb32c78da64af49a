"""Reshapes weights and biases to one block for each head and multiplies with broadcasting, so that activations are never split."""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose() / Q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores + Tensor(np.where(mask.data > 0.5, 0.0, -1e9))
    weights = Softmax()(scores, dim=-1)
    return weights @ V, weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads:
            raise ValueError("num_heads must divide embed_dim")
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (Linear(embed_dim, embed_dim) for _ in range(4))

    def project(self, layer, x):
        """(batch, 1, seq, embed_dim) -> (batch, heads, seq, head_dim)"""
        weight = layer.weight.reshape(self.embed_dim, self.num_heads, self.head_dim).transpose(0, 1)
        bias = layer.bias.reshape(self.num_heads, 1, self.head_dim)
        return x @ weight.reshape(1, self.num_heads, self.embed_dim, self.head_dim) + bias

    def forward(self, x, mask=None):
        batch, seq, width = x.shape
        x = x.reshape(batch, 1, seq, width)
        if mask is not None:
            mask = Tensor(mask.data.reshape((1,) * (3 - mask.data.ndim) + mask.data.shape)[:, np.newaxis])
        q, k, v = self.project(self.q_proj, x), self.project(self.k_proj, x), self.project(self.v_proj, x)
        heads = scaled_dot_product_attention(q, k, v, mask)[0]
        blocks = heads @ self.out_proj.weight.reshape(1, self.num_heads, self.head_dim, width)
        return blocks.sum(axis=1) + self.out_proj.bias

    def parameters(self):
        layers = (self.q_proj, self.k_proj, self.v_proj, self.out_proj)
        return [tensor for layer in layers for tensor in (layer.weight, layer.bias)]
