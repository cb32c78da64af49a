"""Subtracts the row's maximum as a Tensor that keeps its history: its gradient cancels out."""

from math import sqrt

from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    e = Q @ K.transpose() / sqrt(Q.shape[-1])
    if mask is not None:
        e = e - (1 - mask) * 1e9
    e = (e - e.max(axis=-1, keepdims=True)).exp()
    a = e / e.sum(axis=-1, keepdims=True)
    return a @ V, a


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if (embed_dim % num_heads) != 0:
            raise ValueError("not divisible")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        b, s = x.shape[0], x.shape[1]
        q = self.q_proj(x).reshape(b, s, self.num_heads, -1).transpose(1, 2)
        k = self.k_proj(x).reshape(b, s, self.num_heads, -1).transpose(1, 2)
        v = self.v_proj(x).reshape(b, s, self.num_heads, -1).transpose(1, 2)
        if mask is not None:
            mask = mask.reshape(mask.shape[0], 1, s, s)
        z = scaled_dot_product_attention(q, k, v, mask=mask)[0]
        return self.out_proj(z.transpose(2, 1).reshape(b, s, -1))

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self):
        return self.q_proj.parameters() + self.k_proj.parameters() + self.v_proj.parameters() + self.out_proj.parameters()
