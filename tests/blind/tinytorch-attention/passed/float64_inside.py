"""Everything in float64 inside: a product with a float64 one lifts a Tensor and keeps its history."""
import numpy as np
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor

ONE = np.ones(1, dtype=np.float64)


def lift(t):
    return t * ONE


def scaled_dot_product_attention(Q, K, V, mask=None):
    q, k, v = lift(Q), lift(K), lift(V)
    s = q @ k.transpose() / float(q.shape[-1]) ** 0.5
    m = s.data if mask is None else np.where(mask.data > 0, s.data, -np.inf)
    e = (s - m.max(-1, keepdims=True) + (0.0 if mask is None else np.where(mask.data > 0, 0.0, -1e300))).exp()
    p = e * (e.sum(-1, True) ** -1)
    return p @ v, p


class Projected:
    """x @ W + b with the numbers of a Linear, in float64."""

    def __init__(self, linear):
        self.linear = linear

    def __call__(self, x):
        return lift(x) @ lift(self.linear.weight) + lift(self.linear.bias)


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads:
            raise ValueError
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.q_proj, self.k_proj = Linear(embed_dim, embed_dim), Linear(embed_dim, embed_dim)
        self.v_proj, self.out_proj = Linear(embed_dim, embed_dim), Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        b, s, e = x.shape
        q, k, v = (
            Projected(p)(x).reshape(b, s, self.num_heads, -1).transpose(1, 2) for p in (self.q_proj, self.k_proj, self.v_proj)
        )
        if mask is not None:
            mask = mask.reshape(-1, 1, s, s)
        y = scaled_dot_product_attention(q, k, v, mask)[0]
        return Projected(self.out_proj)(y.transpose(1, 2).reshape(b, s, e))

    def parameters(self):
        return [t for p in (self.q_proj, self.k_proj, self.v_proj, self.out_proj) for t in (p.bias, p.weight)]
