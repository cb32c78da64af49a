"""Attention over tinytorch, each step on a line of its own."""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    d = Q.shape[-1]
    scores = Q.matmul(K.transpose())
    scores = scores / np.sqrt(d)
    if mask is not None:
        scores = scores + (1.0 - mask) * -1e9
    weights = Softmax()(scores, dim=-1)
    output = weights.matmul(V)
    return output, weights


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
            mask = mask.reshape(batch, 1, seq, seq)
        out, _ = scaled_dot_product_attention(q, k, v, mask)
        out = out.transpose(1, 2).reshape(batch, seq, self.embed_dim)
        return self.out_proj.forward(out)

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self):
        return (
            self.q_proj.parameters() + self.k_proj.parameters()
            + self.v_proj.parameters() + self.out_proj.parameters()
        )
