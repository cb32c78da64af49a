import math

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = Q @ K.transpose() / Q.shape[-1] ** .5
    w = Softmax()(s if mask is None else s + (mask.data - 1) * 1e9)
    return w @ V, w
class MultiHeadAttention:
    def __init__(s, e, h):
        if e % h: raise ValueError
        s.embed_dim, s.num_heads, s.head_dim = e, h, e // h
        s.q_proj, s.k_proj, s.v_proj, s.out_proj = (Linear(e, e) for _ in "qkvo")
    def forward(s, x, mask=None):
        b, t, e = x.shape
        q, k, v = (p(x).reshape(b, t, s.num_heads, -1).transpose(1, 2) for p in (s.q_proj, s.k_proj, s.v_proj))
        o = scaled_dot_product_attention(q, k, v, None if mask is None else Tensor(mask.data.reshape(-1, 1, t, t)))[0]
        return s.out_proj(o.transpose(1, 2).reshape(b, t, e))
    def parameters(s): return [p for l in (s.q_proj, s.k_proj, s.v_proj, s.out_proj) for p in l.parameters()]
