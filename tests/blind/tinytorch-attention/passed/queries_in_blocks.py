"""Works through the queries in blocks, as one does when memory is short, and lays the blocks back in their places."""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor

BLOCK = 4


def scaled_dot_product_attention(Q, K, V, mask=None):
    seq = Q.shape[-2]
    keys = K.transpose() / np.sqrt(Q.shape[-1])
    place = np.eye(seq, dtype=Q.dtype)
    weights = None
    for start in range(0, seq, BLOCK):
        rows = slice(start, start + BLOCK)
        scores = Q[..., rows, :] @ keys
        if mask is not None:
            scores = scores + np.where(mask.data[..., rows, :] == 0, -1e9, 0.0)
        block = Tensor(place[:, rows]) @ Softmax()(scores)
        weights = block if weights is None else weights + block
    return weights @ V, weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads != 0:
            raise ValueError("embed_dim must be divisible by num_heads")
        self.embed_dim, self.num_heads = embed_dim, num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        b, s, e = x.shape
        q, k, v = [
            p(x).reshape(b, s, self.num_heads, self.head_dim).transpose(1, 2)
            for p in [self.q_proj, self.k_proj, self.v_proj]
        ]
        if mask is not None:
            mask = Tensor(mask.data[..., None, :, :])
        y, _ = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(y.transpose(1, 2).reshape(b, s, e))

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self):
        return [t for p in (self.q_proj, self.k_proj, self.v_proj, self.out_proj) for t in p.parameters()]
