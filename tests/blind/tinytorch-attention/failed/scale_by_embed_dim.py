"""Attention over tinytorch where the layer scales by all features.

Idea: In the layer the scores are scaled by the root of embed_dim instead of head_dim.
Where: everywhere in the layer when it has more than one head
Id: scale-by-d-model
"""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None, width=None):
    last = Q.ndim - 1
    scores = Q @ K.transpose(last - 1, last)
    scores = scores / ((width or Q.shape[last]) ** 0.5)
    if mask is not None:
        hidden = mask.data < 0.5
        scores = scores + np.where(hidden, np.float32(-1e9), np.float32(0))
    weights = Softmax()(scores)
    return weights @ V, weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads != 0:
            raise AssertionError
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        B, T, E = x.shape
        H, D = self.num_heads, self.head_dim
        q = self.q_proj(x).reshape(B, T, H, D).transpose(0, 2).transpose(1, 2).reshape(H * B, T, D)
        k = self.k_proj(x).reshape(B, T, H, D).transpose(0, 2).transpose(1, 2).reshape(H * B, T, D)
        v = self.v_proj(x).reshape(B, T, H, D).transpose(0, 2).transpose(1, 2).reshape(H * B, T, D)
        # (H, T, B, D) after the first transpose, (H, B, T, D) after the second
        if mask is not None:
            mask = Tensor(np.tile(np.broadcast_to(mask.data, (B, T, T)), (H, 1, 1)))
        y, _ = scaled_dot_product_attention(q, k, v, mask, E)
        y = y.reshape(H, B, T, D).transpose(1, 2).transpose(0, 2).reshape(B, T, E)
        return self.out_proj(y)

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self):
        out = list()
        out.extend(self.q_proj.parameters())
        out.extend(self.k_proj.parameters())
        out.extend(self.v_proj.parameters())
        out.extend(self.out_proj.parameters())
        return out
