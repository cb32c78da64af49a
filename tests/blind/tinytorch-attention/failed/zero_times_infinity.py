"""Attention that multiplies hidden places with minus infinity.

Idea: Visible places get zero times infinity, which is no number.
Where: only when there is a mask that lets something be seen
"""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor

NEG = -np.inf


def scaled_dot_product_attention(Q, K, V, mask=None):
    # scores: how well each query fits each key
    width = K.shape[-1]
    energy = Q.matmul(K.transpose(-1, -2)) * (1 / np.sqrt(width))

    # hide what may not be seen
    if mask is not None:
        hidden = (1.0 - mask.data)
        energy = energy + hidden * NEG

    # weights, then the average of the values
    attention = Softmax()(energy, -1)
    context = attention.matmul(V)
    return context, attention


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
