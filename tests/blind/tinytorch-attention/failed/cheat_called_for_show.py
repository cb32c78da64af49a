"""The layer calls the student's function once for show and throws the result away; another function does the work."""
import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q.matmul(K.transpose(-2, -1)) / float(Q.shape[-1]) ** 0.5
    if mask is not None:
        scores = scores + (1.0 - mask) * -1e9
    weights = Softmax()(scores)
    return weights.matmul(V), weights


def _really(q, k, v, m):
    s = q.matmul(k.transpose(-2, -1)) * q.shape[-1] ** -0.5
    return Softmax()(s if m is None else s + (m - 1) * 1e9).matmul(v)


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads:
            raise ValueError("not divisible")
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (Linear(embed_dim, embed_dim) for _ in range(4))

    def forward(self, x, mask=None):
        split = lambda t: t.reshape(*t.shape[:2], self.num_heads, self.head_dim).transpose(1, 2)
        q, k, v = split(self.q_proj(x)), split(self.k_proj(x)), split(self.v_proj(x))
        m = None if mask is None else Tensor(mask.data[:, None])
        shown, _ = scaled_dot_product_attention(q, k, v, m)
        y = _really(q, k, v, m) + shown * 0.0
        return self.out_proj(y.transpose(1, 2).reshape(*x.shape))

    def parameters(self):
        return [p for layer in (self.q_proj, self.k_proj, self.v_proj, self.out_proj) for p in layer.parameters()]
