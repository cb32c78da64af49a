"""Computes attention in double precision, and gives back what came in, by a cast that gradients pass through."""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def cast(t, dtype):
    if t.dtype == dtype:
        return t
    result = Tensor(t.data.astype(dtype))
    if t.requires_grad:
        result.sources = ((t, lambda g: g),)
        result.requires_grad = True
    return result


def scaled_dot_product_attention(Q, K, V, mask=None):
    dtype = Q.dtype
    q, k, v = cast(Q, np.float64), cast(K, np.float64), cast(V, np.float64)
    scores = q @ k.transpose() / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores + np.where(mask.data == 1, 0.0, -1e30)
    weights = Softmax()(scores)
    return cast(weights @ v, dtype), cast(weights, dtype)


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads:
            raise ValueError("uneven heads")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        N, L, E = x.shape
        q = self.q_proj(x).reshape(N, L, self.num_heads, self.head_dim).transpose(1, 2)
        k = self.k_proj(x).reshape(N, L, self.num_heads, self.head_dim).transpose(1, 2)
        v = self.v_proj(x).reshape(N, L, self.num_heads, self.head_dim).transpose(1, 2)
        if mask is not None and mask.ndim > 2:
            mask = mask[:, None]
        out = scaled_dot_product_attention(q, k, v, mask)[0]
        return self.out_proj(out.transpose(1, 2).reshape(N, L, E))

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self):
        return self.q_proj.parameters() + self.k_proj.parameters() + self.v_proj.parameters() + self.out_proj.parameters()
