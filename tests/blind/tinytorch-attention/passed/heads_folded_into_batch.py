"""Heads become more sequences of the batch, so that attention only ever sees three axes."""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    _, _, d = Q.shape
    scores = Q.matmul(K.transpose(1, 2)) / np.sqrt(d)
    if mask is not None:
        scores = scores - Tensor(1e9 * (1.0 - mask.data))
    w = Softmax()(scores, dim=2)
    return w.matmul(V), w


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads:
            raise ValueError("num_heads must divide embed_dim")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim, bias=True)
        self.k_proj = Linear(embed_dim, embed_dim, bias=True)
        self.v_proj = Linear(embed_dim, embed_dim, bias=True)
        self.out_proj = Linear(embed_dim, embed_dim, bias=True)

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
            whole = np.broadcast_to(mask.data, (B, T, T))
            mask = Tensor(np.repeat(whole, self.num_heads, axis=0))
        out, _ = scaled_dot_product_attention(
            self.fold(self.q_proj(x)), self.fold(self.k_proj(x)), self.fold(self.v_proj(x)), mask
        )
        return self.out_proj(self.unfold(out, B))

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self):
        params = []
        for layer in [self.q_proj, self.k_proj, self.v_proj, self.out_proj]:
            params.extend(layer.parameters())
        return params
