"""A decorator looks at the shapes before attention does its work."""

import functools

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def same_shapes(function):
    @functools.wraps(function)
    def checked(Q, K, V, mask=None):
        if not Q.shape == K.shape == V.shape:
            raise ValueError(f"Q {Q.shape}, K {K.shape} and V {V.shape} should have one shape")
        return function(Q, K, V, mask)

    return checked


@same_shapes
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q.matmul(K.transpose(-2, -1)) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores + (1.0 - mask) * (-1e9)
    attention_weights = Softmax()(scores, dim=-1)
    return attention_weights.matmul(V), attention_weights


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

    @staticmethod
    def _attend(q, k, v, mask):
        return scaled_dot_product_attention(q, k, v, mask)[0]

    def forward(self, x, mask=None):
        batch, seq, embed = x.shape
        q = self.q_proj(x).reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)
        k = self.k_proj(x).reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)
        v = self.v_proj(x).reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)
        if mask is not None:
            copies = np.stack([np.broadcast_to(mask.data, (batch, seq, seq))] * self.num_heads, axis=1)
            mask = Tensor(copies)
        out = self._attend(q, k, v, mask).transpose(1, 2).reshape(batch, seq, embed)
        return self.out_proj(out)

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self):
        return self.q_proj.parameters() + self.k_proj.parameters() + self.v_proj.parameters() + self.out_proj.parameters()
