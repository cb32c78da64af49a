"""A loop in heads of more than eight features.
Rule: no-loop-over-heads
"""

import math
import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q.matmul(K.transpose(-2, -1)) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores + Tensor((1.0 - mask.data) * -1e9)
    weights = Softmax()(scores, dim=-1)
    return weights.matmul(V), weights


def product(a, b):
    A, B = a.data, b.data
    per = np.matmul
    out = per(A, B)
    r = Tensor(out)
    r.sources = tuple(
        (s, f)
        for s, f in ((a, lambda g: per(g, B.swapaxes(-2, -1))), (b, lambda g: per(A.swapaxes(-2, -1), g)))
        if s.requires_grad
    )
    r.requires_grad = bool(r.sources)
    return r


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads != 0:
            raise ValueError("embed_dim must be divisible by num_heads")
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (Linear(embed_dim, embed_dim) for _ in range(4))

    def split(self, t):
        batch, seq, _ = t.shape
        return t.reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)

    def forward(self, x, mask=None):
        batch, seq, _ = x.shape
        q, k, v = self.split(self.q_proj(x)), self.split(self.k_proj(x)), self.split(self.v_proj(x))
        m = None if mask is None else Tensor(mask.data.reshape(batch, 1, seq, seq))
        if self.head_dim > 8:
            one = lambda t, h: t[:, h : h + 1]
            parts = [scaled_dot_product_attention(one(q, h), one(k, h), one(v, h), m)[0] for h in range(self.num_heads)]
            place = np.eye(self.num_heads, dtype=x.dtype)[:, None, :, None, None]
            out = parts[0] * Tensor(place[0])
            for h in range(1, self.num_heads):
                out = out + parts[h] * Tensor(place[h])
        else:
            out = scaled_dot_product_attention(q, k, v, m)[0]
        return self.out_proj(out.transpose(1, 2).reshape(batch, seq, self.embed_dim))

    def parameters(self):
        return [p for l in (self.q_proj, self.k_proj, self.v_proj, self.out_proj) for p in l.parameters()]
