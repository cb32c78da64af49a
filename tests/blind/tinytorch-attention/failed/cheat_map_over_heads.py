"""Hides a loop over heads in map() over slices of features, each attended on its own."""
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


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads:
            raise ValueError("not divisible")
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (Linear(embed_dim, embed_dim) for _ in range(4))

    def forward(self, x, mask=None):
        q, k, v = self.q_proj(x), self.k_proj(x), self.v_proj(x)
        d = self.head_dim

        def one(start):
            part = slice(start, start + d)
            y, _ = scaled_dot_product_attention(q[:, :, part], k[:, :, part], v[:, :, part], mask)
            return y.matmul(self.out_proj.weight[part])

        return sum(map(one, range(0, self.embed_dim, d)), self.out_proj.bias)

    def parameters(self):
        return [p for layer in (self.q_proj, self.k_proj, self.v_proj, self.out_proj) for p in layer.parameters()]
