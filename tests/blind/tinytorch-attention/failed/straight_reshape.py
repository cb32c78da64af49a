"""Attention over tinytorch with a cut straight into heads.

Idea: The features are reshaped straight to (batch, heads, seq, head_dim) without a transpose.
Where: everywhere that there is more than one head and more than one token
Id: reshape-before-transpose
"""

import math

from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def _softmax(scores):
    # the largest score of each row is a plain number here: taking it off changes neither value nor gradient
    top = scores.data.max(axis=-1, keepdims=True)
    e = (scores - top).exp()
    return e / e.sum(axis=-1, keepdims=True)


def scaled_dot_product_attention(Q, K, V, mask=None):
    """(..., seq, d) three times -> (..., seq, d), (..., seq, seq)"""
    scores = Q @ K.transpose(-2, -1) / math.sqrt(K.shape[-1])
    if mask is not None:
        scores = scores - 1e9 * (1 - mask)
    weights = _softmax(scores)
    output = weights @ V
    return output, weights


class MultiHeadAttention:
    """num_heads heads side by side."""

    def __init__(self, embed_dim, num_heads):
        head_dim, rest = divmod(embed_dim, num_heads)
        if rest:
            raise ValueError("embed_dim must be a multiple of num_heads")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = head_dim
        for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
            setattr(self, name, Linear(embed_dim, embed_dim))

    def _split(self, t):
        return t.reshape(t.shape[0], self.num_heads, t.shape[1], self.head_dim)

    def _merge(self, t):
        t = t.transpose(1, 2)
        return t.reshape(t.shape[0], t.shape[1], self.embed_dim)

    def forward(self, x, mask=None):
        q, k, v = (self._split(p(x)) for p in (self.q_proj, self.k_proj, self.v_proj))
        if mask is not None:
            mask = mask[..., None, :, :]
        return self.out_proj(self._merge(scaled_dot_product_attention(q, k, v, mask)[0]))

    def __call__(self, *args, **kwargs):
        return self.forward(*args, **kwargs)

    def parameters(self):
        return sum((getattr(self, n).parameters() for n in ("q_proj", "k_proj", "v_proj", "out_proj")), [])
