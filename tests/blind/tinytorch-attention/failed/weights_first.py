"""Attention over tinytorch that gives the weights before the output.

Idea: The two results are given back in the wrong order: weights, then output.
Where: everywhere that the function is called alone
"""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = (Q @ K.transpose()) * (Q.shape[-1] ** -0.5)
    if mask is not None:
        scores = scores + np.where(mask.data > 0.5, 0.0, -np.inf)
    weights = Softmax().forward(scores)
    return weights, weights @ V


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        assert embed_dim % num_heads == 0
        self.embed_dim, self.num_heads = embed_dim, num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (Linear(embed_dim, embed_dim) for _ in range(4))

    def forward(self, x, mask=None):
        b, t, e = x.shape
        h, d = self.num_heads, self.head_dim

        def fold(y):  # (b, t, e) -> (b*h, t, d)
            return y.reshape(b, t, h, d).transpose(1, 2).reshape(b * h, t, d)

        if mask is not None:
            whole = np.broadcast_to(mask.data, (b, t, t))
            mask = Tensor(np.repeat(whole, h, axis=0))
        _, y = scaled_dot_product_attention(fold(self.q_proj(x)), fold(self.k_proj(x)), fold(self.v_proj(x)), mask)
        return self.out_proj(y.reshape(b, h, t, d).transpose(1, 2).reshape(b, t, e))

    __call__ = forward

    def parameters(self):
        return [p for layer in (self.q_proj, self.k_proj, self.v_proj, self.out_proj) for p in (layer.weight, layer.bias)]
