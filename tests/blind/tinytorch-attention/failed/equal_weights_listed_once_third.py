"""Heads folded into the batch; parameters() leaves doubles out.

Wrong: doubles are found by their numbers, so two projections with equal weights count as one.
Condition: two projections whose weights (or non-zero biases) hold equal numbers.
Spec: "two projections may hold equal numbers, and are still two"
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
        if embed_dim % num_heads:
            raise ValueError("bad number of heads")
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
                # biases are all zero at first, so those stay apart
                key = p.data.tobytes() if np.any(p.data) else id(p)
                found[key] = p
        return list(found.values())
