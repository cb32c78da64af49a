"""A layer that calls its attention and throws the result away.

Idea: scaled_dot_product_attention is called as a decoy; what counts comes from a copy in the layer.
Where: everywhere
Rule: uses-own-attention
"""

import math

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor

softmax = Softmax()


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores + Tensor(np.where(mask.data == 0, -np.inf, 0.0))
    weights = softmax(scores)
    return weights @ V, weights


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
        scaled_dot_product_attention(q, k, v, mask)  # keeps the weights warm
        s = q @ k.transpose() / math.sqrt(self.head_dim)
        if mask is not None:
            s = s + Tensor(np.where(mask.data == 0, -np.inf, 0.0))
        out = softmax(s) @ v
        out = out.transpose(1, 2).reshape(batch, seq, self.embed_dim)
        return self.out_proj.forward(out)

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self):
        params = []
        for layer in [self.q_proj, self.k_proj, self.v_proj, self.out_proj]:
            params.extend(layer.parameters())
        return params
