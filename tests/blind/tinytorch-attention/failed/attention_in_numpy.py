"""Attention worked out with numpy arrays from end to end.

Idea: All sums are done on .data with np.exp and matmul, and gradients find no way back.
Where: only when a gradient is asked for
Id: detached-gradient
"""

import numpy as np
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    q, k, v = Q.data, K.data, V.data
    scores = np.matmul(q, np.swapaxes(k, -1, -2)) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask.data == 0, -1e9, scores)
    scores = scores - scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores)
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return Tensor(np.matmul(weights, v)), Tensor(weights)


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads != 0:
            raise ValueError("embed_dim must be divisible by num_heads")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        batch, seq, _ = x.shape
        q = self.q_proj.forward(x)
        k = self.k_proj.forward(x)
        v = self.v_proj.forward(x)
        q = q.reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)
        k = k.reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)
        v = v.reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)
        if mask is not None:
            mask = mask.reshape(mask.shape[0], 1, seq, seq)
        out, _ = scaled_dot_product_attention(q, k, v, mask)
        out = out.transpose(1, 2).reshape(batch, seq, self.embed_dim)
        return self.out_proj.forward(out)

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self):
        params = []
        for layer in [self.q_proj, self.k_proj, self.v_proj, self.out_proj]:
            params.extend(layer.parameters())
        return params
