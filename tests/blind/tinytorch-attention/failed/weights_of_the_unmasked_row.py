"""Scaled dot-product attention that returns the weights for plotting from before the mask.

Wrong: the second result is the softmax without the mask.
When: a mask hides something.
Spec: «What is hidden gets a weight of zero, and the rest of the row still adds up to 1.»
"""

import math

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    d = Q.shape[-1]
    scores = Q.matmul(K.transpose(-2, -1)) / math.sqrt(d)
    raw = scores
    if mask is not None:
        scores = scores + Tensor((1.0 - mask.data) * -1e9)
    output = Softmax()(scores, dim=-1).matmul(V)
    return output, Softmax()(raw, dim=-1)


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

    def split_heads(self, t):
        batch, seq, _ = t.shape
        return t.reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)

    def merge_heads(self, t):
        batch, _, seq, _ = t.shape
        return t.transpose(1, 2).reshape(batch, seq, self.embed_dim)

    def forward(self, x, mask=None):
        Q = self.split_heads(self.q_proj(x))
        K = self.split_heads(self.k_proj(x))
        V = self.split_heads(self.v_proj(x))
        if mask is not None and mask.ndim == 3:
            mask = mask.reshape(mask.shape[0], 1, mask.shape[1], mask.shape[2])
        context, _ = scaled_dot_product_attention(Q, K, V, mask)
        return self.out_proj(self.merge_heads(context))

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self):
        found = []
        for layer in (self.q_proj, self.k_proj, self.v_proj, self.out_proj):
            found.extend(layer.parameters())
        return found
