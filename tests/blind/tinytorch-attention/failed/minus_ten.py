"""Adds only -10 to hidden scores."""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def affine(x, layer):
    return x @ layer.weight + layer.bias


def scaled_dot_product_attention(Q, K, V, mask=None):
    scale = Tensor(np.array(1.0 / np.sqrt(Q.shape[-1])))
    scores = (Q * scale).matmul(K.transpose())
    if mask is not None:
        scores = scores + Tensor(np.where(mask.data == 0, -10.0, 0.0))
    weights = Softmax().forward(scores, dim=-1)
    return weights.matmul(V), weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads != 0:
            raise ValueError("%d features cannot be split into %d heads" % (embed_dim, num_heads))
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = int(embed_dim / num_heads)
        self.q_proj = Linear(embed_dim, embed_dim, bias=True)
        self.k_proj = Linear(embed_dim, embed_dim, bias=True)
        self.v_proj = Linear(embed_dim, embed_dim, bias=True)
        self.out_proj = Linear(embed_dim, embed_dim, bias=True)

    def forward(self, x, mask=None):
        B, S, E = x.shape
        H, D = self.num_heads, self.head_dim
        Q = affine(x, self.q_proj).reshape(B, S, H, D).transpose(1, 2)
        K = affine(x, self.k_proj).reshape(B, S, H, D).transpose(1, 2)
        V = affine(x, self.v_proj).reshape(B, S, H, D).transpose(1, 2)
        m = None
        if mask is not None:
            m = Tensor(np.broadcast_to(mask.data, (B, S, S)).reshape(B, 1, S, S).copy())
        out, weights = scaled_dot_product_attention(Q, K, V, m)
        return affine(out.transpose(1, 2).reshape(B, S, E), self.out_proj)

    def parameters(self):
        result = []
        for layer in (self.q_proj, self.k_proj, self.v_proj, self.out_proj):
            result += [layer.weight, layer.bias]
        return result
