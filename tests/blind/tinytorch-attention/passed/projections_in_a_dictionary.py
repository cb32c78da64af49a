"""Keeps the projections in a dictionary, and shows them as properties."""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    raw = Q @ K.transpose() / np.sqrt(Q.shape[-1])
    biased = raw if mask is None else raw + (1 - mask) * -1e9
    return (weights := Softmax()(biased)) @ V, weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads != 0:
            raise ValueError("embed_dim must be divisible by num_heads")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self._layers = {name: Linear(embed_dim, embed_dim) for name in "qkvo"}

    head_dim = property(lambda self: self.embed_dim // self.num_heads)
    q_proj = property(lambda self: self._layers["q"])
    k_proj = property(lambda self: self._layers["k"])
    v_proj = property(lambda self: self._layers["v"])
    out_proj = property(lambda self: self._layers["o"])

    def forward(self, x, mask=None):
        b, s, e = x.shape
        parts = {
            name: self._layers[name](x).reshape(b, s, self.num_heads, self.head_dim).transpose(1, 2) for name in "qkv"
        }
        if mask is not None:
            mask = mask.reshape(mask.shape[0], 1, *mask.shape[1:]) if mask.ndim == 3 else mask
        out, _ = scaled_dot_product_attention(parts["q"], parts["k"], parts["v"], mask)
        return self._layers["o"](out.transpose(1, 2).reshape(b, s, e))

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self):
        return [t for layer in self._layers.values() for t in layer.parameters()]
