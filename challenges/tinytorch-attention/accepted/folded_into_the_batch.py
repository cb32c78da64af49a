"""Heads become part of the batch: attention knows three axes only, and the mask is repeated for each head."""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    batch, seq, width = Q.shape
    scores = Q.matmul(K.transpose(1, 2)) / np.sqrt(width)
    if mask is not None:
        allowed = np.broadcast_to(mask.data, (batch, seq, seq))
        scores = scores + Tensor(np.where(allowed > 0.5, 0.0, -1e9))
    weights = Softmax().forward(scores)
    return weights.matmul(V), weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        assert embed_dim % num_heads == 0, "the heads must share the features evenly"
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (Linear(embed_dim, embed_dim) for _ in range(4))

    def _fold(self, x):
        batch, seq, _ = x.shape
        apart = x.reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)
        return apart.reshape(batch * self.num_heads, seq, self.head_dim)

    def _unfold(self, x, batch):
        return x.reshape(batch, self.num_heads, -1, self.head_dim).transpose(1, 2).reshape(batch, -1, self.embed_dim)

    def forward(self, x, mask=None):
        batch, seq, _ = x.shape
        if mask is not None:
            each = np.broadcast_to(mask.data, (batch, seq, seq))
            mask = Tensor(np.repeat(each, self.num_heads, axis=0))
        Q, K, V = self._fold(self.q_proj(x)), self._fold(self.k_proj(x)), self._fold(self.v_proj(x))
        attended, _ = scaled_dot_product_attention(Q, K, V, mask)
        return self.out_proj(self._unfold(attended, batch))

    def parameters(self):
        return (
            self.q_proj.parameters() + self.k_proj.parameters() + self.v_proj.parameters() + self.out_proj.parameters()
        )
