"""Right: avoids every reshape, and splits and merges heads with tables of indices."""
import math

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose() * (1 / math.sqrt(Q.shape[-1]))
    if mask is not None:
        scores = scores - 1e9 * (1 - mask)
    weights = Softmax()(scores)
    return weights @ V, weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads:
            raise ValueError("the heads do not divide the features")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        features = np.arange(embed_dim)
        self.feature_of = np.add.outer(np.arange(0, embed_dim, self.head_dim), np.arange(self.head_dim))
        self.head_of, self.place_of = features // self.head_dim, features % self.head_dim
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        q, k, v = (p(x)[:, :, self.feature_of].transpose(1, 2) for p in (self.q_proj, self.k_proj, self.v_proj))
        m = None if mask is None else mask[..., None, :, :]
        out, _ = scaled_dot_product_attention(q, k, v, m)
        return self.out_proj(out.transpose(1, 2)[:, :, self.head_of, self.place_of])

    def parameters(self):
        return tuple(p for layer in (self.q_proj, self.k_proj, self.v_proj, self.out_proj) for p in layer.parameters())
