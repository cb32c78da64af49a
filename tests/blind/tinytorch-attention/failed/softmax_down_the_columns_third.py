"""Attention with a cached scale and one softmax object.

Wrong: the softmax goes over the queries (axis -2), not over the keys.
Condition: more than one token.
Spec: "The weights are their softmax over the keys."
"""

from functools import lru_cache
from math import sqrt

from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor

_softmax = Softmax()


@lru_cache(maxsize=None)
def _inverse_root(width: int) -> float:
    return 1.0 / sqrt(width)


def scaled_dot_product_attention(Q, K, V, mask=None, *, softmax=_softmax):
    logits = Q.matmul(K.transpose()) * _inverse_root(Q.shape[-1])
    if mask is not None:
        logits = logits - (1.0 - Tensor(mask.data)) * 1e9
    attention = softmax(logits, -2)
    return attention.matmul(V), attention


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads, attend=scaled_dot_product_attention):
        if num_heads <= 0 or embed_dim % num_heads:
            raise ValueError("embed_dim must be a multiple of num_heads")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)
        self._attend = attend

    def forward(self, x, mask=None):
        batch, seq = x.shape[:2]

        def heads(linear):
            return linear(x).reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)

        m = None
        if mask is not None:
            m = Tensor(mask.data.reshape((-1, 1) + mask.shape[-2:]))
        y, _weights = self._attend(heads(self.q_proj), heads(self.k_proj), heads(self.v_proj), m)
        return self.out_proj(y.transpose(1, 2).reshape(batch, seq, self.embed_dim))

    __call__ = forward

    def parameters(self):
        return (
            self.q_proj.parameters()
            + self.k_proj.parameters()
            + self.v_proj.parameters()
            + self.out_proj.parameters()
        )
