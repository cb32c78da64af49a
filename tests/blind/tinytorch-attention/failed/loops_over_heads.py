"""A layer that goes through its heads one by one.

Idea: A for loop attends in one head after another where all heads should be done at once.
Where: everywhere
Rule: no-loop-over-heads
"""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear


def scaled_dot_product_attention(Q, K, V, mask=None):
    d = Q.shape[-1]
    scores = Q.matmul(K.transpose())
    scores = scores / np.sqrt(d)
    if mask is not None:
        scores = scores + (1.0 - mask) * -1e9
    weights = Softmax()(scores, dim=-1)
    output = weights.matmul(V)
    return output, weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads != 0:
            raise ValueError("embed_dim must be divisible by num_heads")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        q, k, v = self.q_proj(x), self.k_proj(x), self.v_proj(x)
        result = self.out_proj.bias
        for h in range(self.num_heads):
            own = slice(h * self.head_dim, (h + 1) * self.head_dim)
            head, _ = scaled_dot_product_attention(q[..., own], k[..., own], v[..., own], mask)
            result = head @ self.out_proj.weight[own] + result
        return result

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self):
        return self.q_proj.parameters() + self.k_proj.parameters() + self.v_proj.parameters() + self.out_proj.parameters()
