"""The layer reaches attention through functools.partial and another name."""

import functools

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose() / np.sqrt(Q.shape[-1])
    scores = scores if mask is None else scores + (mask - 1) * 1e9
    weights = Softmax()(scores)
    return weights @ V, weights


attend = scaled_dot_product_attention


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads:
            raise ValueError("embed_dim has to be a multiple of num_heads")
        self.embed_dim, self.num_heads = embed_dim, num_heads
        self.head_dim = embed_dim // num_heads
        make = functools.partial(Linear, embed_dim, embed_dim)
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = make(), make(), make(), make()

    def forward(self, x, mask=None):
        batch, seq, _ = x.shape
        split = lambda t: t.reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)  # noqa: E731
        masked_attention = functools.partial(attend, mask=None if mask is None else mask[:, None])
        output, _ = masked_attention(*map(split, (self.q_proj(x), self.k_proj(x), self.v_proj(x))))
        return self.out_proj(output.transpose(1, 2).reshape(batch, seq, self.embed_dim))

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self):
        projections = self.q_proj, self.k_proj, self.v_proj, self.out_proj
        return functools.reduce(lambda found, p: found + p.parameters(), projections, [])
