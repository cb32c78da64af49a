"""Forgets the bias of the last projection only."""

import math

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = (Q / math.sqrt(Q.shape[-1])) @ K.transpose()
    if mask is not None:
        scores = scores + Tensor(np.where(mask.data == 1, 0.0, -1e9).astype(scores.data.dtype))
    weights = Softmax()(scores, dim=-1)
    return weights @ V, weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads != 0:
            raise ValueError("bad number of heads")
        self.embed_dim, self.num_heads = embed_dim, num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj, self.k_proj = Linear(embed_dim, embed_dim), Linear(embed_dim, embed_dim)
        self.v_proj, self.out_proj = Linear(embed_dim, embed_dim), Linear(embed_dim, embed_dim)

    def project(self, layer, x):
        batch, seq, _ = x.shape
        weight = layer.weight.reshape(self.embed_dim, self.num_heads, self.head_dim).transpose(0, 1)
        bias = layer.bias.reshape(self.num_heads, 1, self.head_dim)
        return x.reshape(batch, 1, seq, self.embed_dim) @ weight + bias

    def forward(self, x, mask=None):
        if mask is not None:
            m = mask.data
            mask = Tensor(m.reshape(m.shape[:-2] + (1,) + m.shape[-2:]) if m.ndim == 3 else m)
        q, k, v = (self.project(layer, x) for layer in (self.q_proj, self.k_proj, self.v_proj))
        context, _ = scaled_dot_product_attention(q, k, v, mask)
        out_weight = self.out_proj.weight.reshape(self.num_heads, self.head_dim, self.embed_dim)
        return (context @ out_weight).sum(axis=1)

    def parameters(self):
        return [p for q in (self.q_proj, self.k_proj, self.v_proj, self.out_proj) for p in (q.weight, q.bias)]
