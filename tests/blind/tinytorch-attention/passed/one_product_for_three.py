"""One matrix product for queries, keys and values: the three weights are joined by an operation of its own."""
import math

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def join_columns(*parts):
    whole = Tensor(np.concatenate([p.data for p in parts], axis=-1))
    edges = np.cumsum([0] + [p.shape[-1] for p in parts])
    whole.sources = tuple(
        (p, lambda g, a=a, b=b: g[..., a:b]) for p, a, b in zip(parts, edges[:-1], edges[1:]) if p.requires_grad
    )
    whole.requires_grad = bool(whole.sources)
    return whole


def scaled_dot_product_attention(Q, K, V, mask=None):
    attention = (Q / math.sqrt(Q.shape[-1])) @ K.transpose()
    if mask is not None:
        attention = attention - 1e9 * (1 - Tensor(mask.data))
    attention = Softmax()(attention)
    return attention @ V, attention


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        assert not embed_dim % num_heads
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        b, s, e = x.shape
        three = (self.q_proj, self.k_proj, self.v_proj)
        packed = x @ join_columns(*(p.weight for p in three)) + join_columns(*(p.bias for p in three))
        packed = packed.reshape(b, s, 3, self.num_heads, self.head_dim).transpose(1, 3)  # (b, heads, 3, s, head_dim)
        q, k, v = packed[:, :, 0], packed[:, :, 1], packed[:, :, 2]
        if mask is not None and len(mask.shape) == 3:
            mask = mask[:, None, :, :]
        y, _ = scaled_dot_product_attention(q, k, v, mask)
        return y.transpose(1, 2).reshape(b, s, e) @ self.out_proj.weight + self.out_proj.bias

    def parameters(self):
        return [*self.q_proj.parameters(), *self.k_proj.parameters(), *self.v_proj.parameters(), *self.out_proj.parameters()]
