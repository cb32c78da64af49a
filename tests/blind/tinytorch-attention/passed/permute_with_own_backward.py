"""Adds what tinytorch lacks, a permutation of all axes at once, with the inverse permutation on the way back."""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def permute(t, *axes):
    result = Tensor(t.data.transpose(axes))
    if t.requires_grad:
        inverse = np.argsort(axes)
        result.requires_grad = True
        result.sources = ((t, lambda g: g.transpose(inverse)),)
    return result


def scaled_dot_product_attention(Q, K, V, mask=None):
    turned = list(range(K.ndim))
    turned[-1], turned[-2] = turned[-2], turned[-1]
    scores = Q @ permute(K, *turned) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores + (1 - mask.data) * -1e9
    weights = Softmax()(scores)
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
        b, s, e = x.shape
        shape = (b, s, self.num_heads, self.head_dim)
        q = permute(self.q_proj(x).reshape(shape), 0, 2, 1, 3)
        k = permute(self.k_proj(x).reshape(shape), 0, 2, 1, 3)
        v = permute(self.v_proj(x).reshape(shape), 0, 2, 1, 3)
        mask = mask if mask is None else Tensor(mask.data.reshape(-1, 1, s, s))
        out, _ = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(permute(out, 0, 2, 1, 3).reshape(b, s, e))

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self):
        return self.q_proj.parameters() + self.k_proj.parameters() + self.v_proj.parameters() + self.out_proj.parameters()
