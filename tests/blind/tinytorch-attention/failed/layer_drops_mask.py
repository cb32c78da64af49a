"""Attention over tinytorch whose layer forgets the mask.

Idea: The layer takes a mask and never hands it on.
Where: only in the layer when a mask hides anything
"""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    dk = Tensor(np.array(Q.shape[-1], dtype=Q.dtype)).sqrt()
    scores = Q.matmul(K.transpose(-2, -1)) / dk
    if mask is None:
        weights = Softmax().forward(scores, dim=-1)
    else:
        weights = Softmax().forward(scores + -1e9 * (1 - mask), dim=-1)
    return weights.matmul(V), weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim // num_heads * num_heads != embed_dim:
            raise ValueError("embed_dim must be divisible by num_heads")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    @staticmethod
    def _linear(layer, x):
        return x @ layer.weight + layer.bias

    def forward(self, x, mask=None):
        batch, seq, embed = x.shape
        shape = batch, seq, self.num_heads, self.head_dim
        q = self._linear(self.q_proj, x).reshape(shape).transpose(1, 2)
        k = self._linear(self.k_proj, x).reshape(shape).transpose(1, 2)
        v = self._linear(self.v_proj, x).reshape(shape).transpose(1, 2)
        if mask is not None:
            mask = mask.reshape(mask.shape[0], 1, seq, seq) if len(mask.shape) > 2 else mask
        out, _ = scaled_dot_product_attention(q, k, v)
        return self._linear(self.out_proj, out.transpose(1, 2).reshape(batch, seq, embed))

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self):
        names = ["q_proj", "k_proj", "v_proj", "out_proj"]
        return [getattr(getattr(self, name), kind) for name in names for kind in ("weight", "bias")]
