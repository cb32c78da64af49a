import math

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def _attend(q, k, v, bias):
    s = q.matmul(k.transpose(-1, -2)) * q.shape[-1] ** -0.5
    if bias is not None:
        s = s + bias
    top = np.max(s.data, axis=-1, keepdims=True)
    z = s - top
    a = z.exp()
    a = a * (a.sum(-1, keepdims=True) ** -1.0)
    return a.matmul(v), a


def scaled_dot_product_attention(Q, K, V, mask=None):
    bias = None
    if mask is not None:
        bias = np.zeros(mask.shape, dtype=Q.data.dtype)
        bias[mask.data == 0.0] = -1e9
    return _attend(Q, K, V, bias)


class MultiHeadAttention(object):
    def __init__(self, embed_dim, num_heads):
        head_dim, rest = divmod(embed_dim, num_heads)
        if rest:
            raise ValueError("num_heads must divide embed_dim")
        self.embed_dim = embed_dim; self.num_heads = num_heads; self.head_dim = head_dim
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = [Linear(embed_dim, embed_dim) for _ in range(4)]

    def forward(self, x, mask=None, *, attention=scaled_dot_product_attention):
        B, T, C = x.shape
        to_heads = lambda t: t.reshape(B, T, self.num_heads, self.head_dim).transpose(1, 2)
        q = to_heads(self.q_proj(x)); k = to_heads(self.k_proj(x)); v = to_heads(self.v_proj(x))
        if mask is not None and mask.ndim == 3:
            mask = mask.reshape(mask.shape[0], 1, T, T)
        y = attention(q, k, v, mask)[0]
        return self.out_proj(y.transpose(1, 2).reshape(B, T, C))

    __call__ = forward

    def parameters(self):
        return self.q_proj.parameters() + self.k_proj.parameters() + self.v_proj.parameters() + self.out_proj.parameters()
