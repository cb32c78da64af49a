"""A table of feature numbers, one row a head, picks the features of all heads with one index."""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = (Q @ K.transpose(-1, -2)) / np.sqrt(V.shape[-1])
    if mask is not None:
        penalty = np.zeros(mask.shape, dtype=scores.dtype)
        penalty[mask.data == 0.0] = np.finfo(np.float32).min / 2
        scores = scores + penalty
    weights = Softmax()(scores, -1)
    return weights @ V, weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim // num_heads * num_heads != embed_dim:
            raise ValueError(f"cannot cut {embed_dim} features into {num_heads} equal heads")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)
        self.features = np.arange(embed_dim).reshape(num_heads, self.head_dim)

    def forward(self, x, mask=None):
        q = self.q_proj(x)[:, :, self.features].transpose(1, 2)
        k = self.k_proj(x)[:, :, self.features].transpose(1, 2)
        v = self.v_proj(x)[:, :, self.features].transpose(1, 2)
        if mask is not None:
            mask = Tensor(np.expand_dims(mask.data, -3))
        out, _ = scaled_dot_product_attention(q, k, v, mask)
        merged = out.transpose(1, 2)
        return self.out_proj(merged.reshape(merged.shape[0], merged.shape[1], -1))

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self):
        return [*self.q_proj.parameters(), *self.k_proj.parameters(),
                *self.v_proj.parameters(), *self.out_proj.parameters()]
