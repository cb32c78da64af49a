"""Each head goes through its own rows of out_proj, and the heads are summed: the same as side by side, then projected."""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose() / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores + Tensor((1 - mask.data) * -1e9)
    weights = Softmax()(scores)
    return weights @ V, weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads:
            raise ValueError("embed_dim must be divisible by num_heads")
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        b, s, e = x.shape
        q, k, v = (
            layer(x).reshape(b, s, self.num_heads, self.head_dim).transpose(1, 2)
            for layer in (self.q_proj, self.k_proj, self.v_proj)
        )
        if mask is not None:
            mask = mask[:, None] if mask.ndim == 3 else mask
        heads, _ = scaled_dot_product_attention(q, k, v, mask)
        rows = self.out_proj.weight.reshape(self.num_heads, self.head_dim, e)
        return (heads @ rows).sum(axis=1) + self.out_proj.bias

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self):
        return self.q_proj.parameters() + self.k_proj.parameters() + self.v_proj.parameters() + self.out_proj.parameters()
