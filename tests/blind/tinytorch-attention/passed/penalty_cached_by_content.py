"""Keeps the penalties of masks it has seen, by all of their numbers, so that an equal mask costs nothing."""

from functools import lru_cache

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


@lru_cache(maxsize=16)
def _penalty(raw, shape, dtype):
    allowed = np.frombuffer(raw, dtype).reshape(shape)
    return Tensor(np.where(allowed == 0, np.float32(-1e9), np.float32(0)))


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose() / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores + _penalty(mask.data.tobytes(), mask.shape, mask.dtype.str)
    weights = Softmax()(scores)
    return weights @ V, weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads != 0:
            raise ValueError("embed_dim must be divisible by num_heads")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        b, s, _ = x.shape
        split = (b, s, self.num_heads, self.head_dim)
        q = self.q_proj(x).reshape(split).transpose(1, 2)
        k = self.k_proj(x).reshape(split).transpose(1, 2)
        v = self.v_proj(x).reshape(split).transpose(1, 2)
        if mask is not None:
            mask = Tensor(mask.data.reshape(-1, 1, s, s))
        out, _ = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(out.transpose(1, 2).reshape(b, s, -1))

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self):
        return self.q_proj.parameters() + self.k_proj.parameters() + self.v_proj.parameters() + self.out_proj.parameters()
