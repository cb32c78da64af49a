"""Queries and keys are each divided by the fourth root of d, and the bias of hidden scores comes from a cached function of the mask's bytes and shape."""

from functools import lru_cache

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


@lru_cache(maxsize=64)
def _bias(content: bytes, shape: tuple[int, ...]) -> np.ndarray:
    """0 where content is True and -1e9 elsewhere; never changed by anyone."""
    visible = np.frombuffer(content, dtype=bool).reshape(shape)
    bias = np.where(visible, 0.0, -1e9)
    bias.flags.writeable = False
    return bias


def scaled_dot_product_attention(Q, K, V, mask=None):
    root = float(Q.shape[-1]) ** 0.25
    scores = (Q / root) @ (K / root).transpose()
    if mask is not None:
        scores = scores + Tensor(_bias((mask.data != 0).tobytes(), mask.data.shape).copy())
    weights = Softmax()(scores)
    return weights @ V, weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads:
            raise ValueError("num_heads must divide embed_dim")
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (Linear(embed_dim, embed_dim) for _ in range(4))

    def forward(self, x, mask=None, attend=scaled_dot_product_attention):
        batch, seq, _ = x.shape
        heads = []
        for layer in (self.q_proj, self.k_proj, self.v_proj):
            projected = x @ layer.weight + layer.bias
            heads.append(projected.reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2))
        if mask is not None:
            mask = Tensor(np.broadcast_to(mask.data, (batch, seq, seq)).copy().reshape(batch, 1, seq, seq))
        merged = attend(*heads, mask)[0].transpose(1, 2).reshape(batch, seq, self.embed_dim)
        return merged @ self.out_proj.weight + self.out_proj.bias

    def parameters(self):
        layers = (self.q_proj, self.k_proj, self.v_proj, self.out_proj)
        return [tensor for layer in layers for tensor in (layer.weight, layer.bias)]
