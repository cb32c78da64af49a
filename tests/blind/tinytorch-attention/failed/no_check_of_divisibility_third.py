"""Heads folded into the batch, sizes taken as they come.

Wrong: a number of heads that does not divide embed_dim is accepted when the layer is made.
Condition: embed_dim % num_heads != 0.
Spec: "An `embed_dim` that `num_heads` does not divide raises `ValueError`"
"""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q.matmul(K.transpose()) / np.sqrt(Q.shape[-1])
    if mask is not None:
        visible = mask.data.astype(bool)
        scores = scores + Tensor(np.where(visible, np.float32(0), np.float32(-np.inf)))
    weights = Softmax()(scores, -1)
    return weights.matmul(V), weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        n, t, c = x.shape
        h, w = self.num_heads, self.head_dim

        def fold(y):
            return y.reshape(n, t, h, w).transpose(1, 2).reshape(n * h, t, w)

        if mask is not None:
            full = np.broadcast_to(mask.data, (n, t, t))
            mask = Tensor(np.repeat(full, h, axis=0))  # sequence 0 for all its heads, then sequence 1
        o, _ = scaled_dot_product_attention(fold(self.q_proj(x)), fold(self.k_proj(x)), fold(self.v_proj(x)), mask)
        o = o.reshape(n, h, t, w).transpose(1, 2).reshape(n, t, c)
        return self.out_proj(o)

    def parameters(self):
        found = {}
        for layer in (self.q_proj, self.k_proj, self.v_proj, self.out_proj):
            for p in layer.parameters():
                found[id(p)] = p
        return list(found.values())
