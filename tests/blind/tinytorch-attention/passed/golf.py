"""Hardly more than ten lines."""

import numpy as n
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(q, k, v, m=None):
    a = Softmax()(q @ k.transpose() / q.shape[-1] ** 0.5 + (0.0 if m is None else Tensor(n.where(m.data > 0, 0.0, -1e9))))
    return a @ v, a


class MultiHeadAttention:
    def __init__(s, e, h):
        assert e % h == 0
        s.embed_dim, s.num_heads, s.head_dim, s.l = e, h, e // h, [Linear(e, e) for _ in "qkvo"]
        s.q_proj, s.k_proj, s.v_proj, s.out_proj = s.l

    def forward(s, x, m=None):
        f = lambda p: p(x).reshape(*x.shape[:2], s.num_heads, s.head_dim).transpose(1, 2)
        m = m if m is None else Tensor(m.data[..., None, :, :])
        return s.out_proj(scaled_dot_product_attention(f(s.q_proj), f(s.k_proj), f(s.v_proj), m)[0].transpose(1, 2).reshape(*x.shape))

    def parameters(s):
        return [t for p in (s.q_proj, s.k_proj, s.v_proj, s.out_proj) for t in (p.weight, p.bias)]
