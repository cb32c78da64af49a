"""Attention that reshapes the keys where it should turn them.

Idea: The keys get the shape (batch, d, seq) by a reshape, which keeps the numbers in their old order.
Where: everywhere
"""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    *lead, seq, d = K.shape
    scores = Q @ K.reshape(*lead, d, seq) / np.sqrt(d)
    if mask is not None:
        scores = scores + (1 - mask) * -1e9
    weights = Softmax()(scores)
    return weights @ V, weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim // num_heads * num_heads != embed_dim:
            raise ValueError(f"cannot cut {embed_dim} features into {num_heads} heads")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        N, S, E = x.shape
        H, D = self.num_heads, self.head_dim

        def columns(t):
            # (N, S, E) -> (N, E, S) -> (N, H, D, S) -> (N, H, S, D)
            return t.transpose(1, 2).reshape(N, H, D, S).transpose(2, 3)

        Q = columns(self.q_proj(x))
        K = columns(self.k_proj(x))
        V = columns(self.v_proj(x))
        if mask is not None:
            mask = Tensor(mask.data.reshape(-1, 1, S, S))
        O, _ = scaled_dot_product_attention(Q, K, V, mask)
        O = O.transpose(2, 3).reshape(N, E, S).transpose(1, 2)
        return self.out_proj(O)

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self):
        return sum((p.parameters() for p in (self.q_proj, self.k_proj, self.v_proj, self.out_proj)), [])
