"""Turns features before tokens first: then a reshape alone cuts the heads apart, and glues them together."""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    s = (Q @ K.transpose()) / float(np.sqrt(Q.shape[-1]))
    if mask is not None:
        s = s * mask + (mask - 1.0) * 1e9
    a = Softmax().forward(s)
    return a @ V, a


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        assert num_heads > 0 and embed_dim % num_heads == 0
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        n, s, e = x.shape
        h, hd = self.num_heads, self.head_dim

        def columns(t):
            # (n, s, e) -> (n, e, s) -> (n, h, hd, s) -> (n, h, s, hd)
            return t.transpose(1, 2).reshape(n, h, hd, s).transpose(2, 3)

        q, k, v = columns(self.q_proj(x)), columns(self.k_proj(x)), columns(self.v_proj(x))
        m = mask if mask is None or mask.ndim == 2 else mask.reshape(mask.shape[0], 1, s, s)
        out, _w = scaled_dot_product_attention(q, k, v, m)
        return self.out_proj(out.transpose(2, 3).reshape(n, e, s).transpose(1, 2))

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self):
        return sum((p.parameters() for p in (self.q_proj, self.k_proj, self.v_proj, self.out_proj)), [])
