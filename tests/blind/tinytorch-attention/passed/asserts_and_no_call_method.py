"""Checks its own shapes with asserts, and offers forward only."""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    assert Q.shape == K.shape == V.shape, (Q.shape, K.shape, V.shape)
    n, d = Q.shape[-2:]
    scores = Q @ K.transpose()
    assert scores.shape[-2:] == (n, n)
    scores = scores / np.sqrt(d)
    if mask is not None:
        assert mask.shape[-2:] == (n, n), mask.shape
        scores = scores + -1e9 * (1.0 - mask)
    weights = Softmax()(scores, dim=-1)
    assert np.allclose(weights.data.sum(axis=-1), 1.0, atol=1e-4)
    output = weights @ V
    assert output.shape == Q.shape
    return output, weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        assert embed_dim % num_heads == 0, "heads must be of equal width"
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        assert self.head_dim * self.num_heads == self.embed_dim
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        b, s, e = x.shape
        assert e == self.embed_dim
        if mask is not None:
            assert mask.shape[-2:] == (s, s)
            mask = mask.reshape(mask.shape[0], 1, s, s) if mask.ndim == 3 else mask.reshape(1, 1, s, s)
        q = self.q_proj.forward(x).reshape(b, s, self.num_heads, self.head_dim).transpose(1, 2)
        k = self.k_proj.forward(x).reshape(b, s, self.num_heads, self.head_dim).transpose(1, 2)
        v = self.v_proj.forward(x).reshape(b, s, self.num_heads, self.head_dim).transpose(1, 2)
        assert q.shape == (b, self.num_heads, s, self.head_dim)
        out, weights = scaled_dot_product_attention(q, k, v, mask)
        assert weights.shape == (b, self.num_heads, s, s)
        out = self.out_proj.forward(out.transpose(1, 2).reshape(b, s, e))
        assert out.shape == x.shape
        return out

    def parameters(self):
        layers = [self.q_proj, self.k_proj, self.v_proj, self.out_proj]
        params = [p for layer in layers for p in layer.parameters()]
        assert len(params) == 8
        return params
