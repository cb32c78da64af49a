"""A layer with a residual inside.

Idea: The input is added to the output, which belongs to the block around the layer and not to the layer.
Where: only when the layer is called (the function alone is right)
"""

import numpy as np
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def row_softmax(t):
    e = (t - Tensor(t.data.max(axis=-1, keepdims=True))).exp()
    return e / e.sum(axis=-1, keepdims=True)


def scaled_dot_product_attention(Q, K, V, mask=None):
    s = Q @ K.transpose() / np.sqrt(Q.shape[-1])
    if mask is not None:
        s = s - 1e9 * (1 - mask)
    w = row_softmax(s)
    return w @ V, w


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        self.head_dim, rest = divmod(embed_dim, num_heads)
        if rest:
            raise ValueError(f"{rest} features are left over")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def fold(self, t):
        B, T, _ = t.shape
        t = t.reshape(B, T, self.num_heads, self.head_dim)
        return t.transpose(1, 2).reshape(B * self.num_heads, T, self.head_dim)

    def unfold(self, t, B):
        T = t.shape[1]
        t = t.reshape(B, self.num_heads, T, self.head_dim)
        return t.transpose(1, 2).reshape(B, T, self.embed_dim)

    def forward(self, x, mask=None):
        B, T, _ = x.shape
        if mask is not None:
            mask = Tensor(np.repeat(np.broadcast_to(mask.data, (B, T, T)), self.num_heads, axis=0))
        q, k, v = self.fold(self.q_proj(x)), self.fold(self.k_proj(x)), self.fold(self.v_proj(x))
        out, _ = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(self.unfold(out, B)) + x

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self):
        return self.q_proj.parameters() + self.k_proj.parameters() + self.v_proj.parameters() + self.out_proj.parameters()
