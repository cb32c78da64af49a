"""A layer that maps a function over the numbers of its heads.

Idea: The loop over heads is still there, written as map over the head numbers.
Where: everywhere
Rule: no-loop-over-heads
"""

import functools
import math

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor

softmax = Softmax()


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores + Tensor(np.where(mask.data == 0, -np.inf, 0.0))
    weights = softmax(scores)
    return weights @ V, weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        assert embed_dim % num_heads == 0
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (Linear(embed_dim, embed_dim) for _ in range(4))

    def _one(self, q, k, v, mask, first):
        rows = slice(first, first + self.head_dim)
        head = scaled_dot_product_attention(q[:, :, rows], k[:, :, rows], v[:, :, rows], mask)[0]
        return head @ self.out_proj.weight[rows]

    def forward(self, x, mask=None):
        one = functools.partial(self._one, self.q_proj(x), self.k_proj(x), self.v_proj(x), mask)
        starts = range(0, self.embed_dim, self.head_dim)
        return functools.reduce(lambda a, b: a + b, map(one, starts)) + self.out_proj.bias

    __call__ = forward

    def parameters(self):
        return [p for layer in (self.q_proj, self.k_proj, self.v_proj, self.out_proj) for p in layer.parameters()]
