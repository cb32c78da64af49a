"""The scores are called s, as the length was: every call of forward raises. No known mistake says so.
Says: failing tests stop there
"""

import numpy as np
from tinytorch.core.tensor import Tensor
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear


def scaled_dot_product_attention(Q, K, V, mask=None):
    assert Q.shape[-1] == K.shape[-1]
    scale = 1 / np.sqrt(np.float32(Q.shape[-1]))
    scores = Q.matmul(K.transpose()) * float(scale)
    if mask is not None:
        # float64 or float32, as the scores are
        blocked = (1 - mask.data).astype(scores.data.dtype)
        scores = scores + Tensor(blocked * scores.data.dtype.type(-1e9))
    A = Softmax()(scores, dim=scores.ndim - 1)
    return A.matmul(V), A


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads:
            raise ValueError
        self.embed_dim, self.num_heads = embed_dim, num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    @property
    def head_dim(self):
        return self.embed_dim // self.num_heads

    def forward(self, x, mask=None):
        b, s, e = x.shape
        h, d = self.num_heads, self.head_dim
        q = (x @ self.q_proj.weight + self.q_proj.bias).reshape(b, s, h, d).transpose(1, 2)
        k = (x @ self.k_proj.weight + self.k_proj.bias).reshape(b, s, h, d).transpose(1, 2)
        v = (x @ self.v_proj.weight + self.v_proj.bias).reshape(b, s, h, d).transpose(1, 2)
        if mask is not None:
            mask = Tensor(mask.data.reshape(mask.shape[:-2] + (1,) + mask.shape[-2:]))
        s = q.matmul(k.transpose()) * d ** -0.5
        if mask is not None:
            s = s + (mask - 1.0) * 1e9
        y = Softmax()(s).matmul(v)
        y = y.transpose(1, 2).reshape(b, s, e)
        return y @ self.out_proj.weight + self.out_proj.bias

    def parameters(self):
        return [p for layer in (self.q_proj, self.k_proj, self.v_proj, self.out_proj) for p in layer.parameters()]
