"""Softmax written with exp and sum; each row's maximum is taken out as a plain array, since it does not change the gradient."""

import numpy as np
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def softmax(scores):
    """Over the last axis, with the constant maximum of each row subtracted."""
    powers = (scores - Tensor(scores.data.max(axis=-1, keepdims=True))).exp()
    return powers / powers.sum(axis=-1, keepdims=True)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = (Q @ K.transpose()) / float(np.sqrt(Q.shape[-1]))
    if mask is not None:
        scores = scores + Tensor(np.where(mask.data == 0, -1e9, 0.0).astype(scores.data.dtype))
    weights = softmax(scores)
    return weights @ V, weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads:
            raise ValueError("num_heads must divide embed_dim")
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (Linear(embed_dim, embed_dim) for _ in range(4))

    def forward(self, x, mask=None):
        batch, seq, _ = x.shape
        q, k, v = (
            layer.forward(x).reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)
            for layer in (self.q_proj, self.k_proj, self.v_proj)
        )
        if mask is not None:
            grid = np.broadcast_to(mask.data, (batch, seq, seq))
            mask = Tensor(grid.reshape(batch, 1, seq, seq))
        merged = scaled_dot_product_attention(q, k, v, mask)[0].transpose(1, 2).reshape(batch, seq, self.embed_dim)
        return self.out_proj.forward(merged)

    def parameters(self):
        layers = (self.q_proj, self.k_proj, self.v_proj, self.out_proj)
        return [tensor for layer in layers for tensor in (layer.weight, layer.bias)]
