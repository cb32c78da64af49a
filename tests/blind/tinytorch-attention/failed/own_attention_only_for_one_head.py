"""A layer that uses its attention when there is one head only.

Idea: With several heads a private twin of the function does the work, not scaled_dot_product_attention.
Where: only when there is more than one head
Rule: uses-own-attention
"""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(
    Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """softmax(Q K^T / sqrt(d)) V"""
    scores = (Q * Q.shape[-1] ** -0.5) @ K.transpose()
    if mask is not None:
        scores = scores + Tensor((mask.data - 1.0) * 1e9)
    attention_weights = Softmax().forward(scores, dim=-1)
    return attention_weights @ V, attention_weights


def _batched(q, k, v, mask):
    w = q @ k.transpose() / np.sqrt(q.shape[-1])
    w = Softmax()(w if mask is None else w + (mask - 1) * 1e9)
    return w @ v, w


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        assert embed_dim % num_heads == 0, f"{num_heads} heads do not share {embed_dim} features evenly"
        self.embed_dim, self.num_heads = embed_dim, num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (Linear(embed_dim, embed_dim) for _ in range(4))

    def _split(self, t):
        return t.reshape(*t.shape[:-1], self.num_heads, self.head_dim).transpose(-3, -2)

    def _merge(self, t):
        t = t.transpose(-3, -2)
        return t.reshape(*t.shape[:-2], self.embed_dim)

    def forward(self, x, mask=None):
        if mask is not None and mask.ndim == 3:
            mask = mask[:, None]
        q, k, v = self._split(self.q_proj(x)), self._split(self.k_proj(x)), self._split(self.v_proj(x))
        attend = scaled_dot_product_attention if self.num_heads == 1 else _batched
        heads, _ = attend(q, k, v, mask)
        return self.out_proj(self._merge(heads))

    __call__ = forward

    def parameters(self):
        return [p for layer in (self.q_proj, self.k_proj, self.v_proj, self.out_proj) for p in layer.parameters()]
