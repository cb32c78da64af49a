"""Attention from the library's own Softmax and Linear, hidden scores pushed down by -1e9."""

import math

from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    d = Q.shape[-1]
    scores = Q.matmul(K.transpose()) / math.sqrt(d)
    if mask is not None:
        penalty = Tensor((1.0 - mask.data) * -1e9)
        scores = scores + penalty
    weights = Softmax()(scores, dim=-1)
    output = weights.matmul(V)
    return output, weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads != 0:
            raise ValueError(f"embed_dim {embed_dim} is not divisible by num_heads {num_heads}")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def _split(self, t):
        batch, seq, _ = t.shape
        return t.reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)

    def _merge(self, t):
        batch, _, seq, _ = t.shape
        return t.transpose(1, 2).reshape(batch, seq, self.embed_dim)

    def forward(self, x, mask=None):
        q = self._split(self.q_proj(x))
        k = self._split(self.k_proj(x))
        v = self._split(self.v_proj(x))
        if mask is not None:
            seq = x.shape[1]
            mask = mask.reshape(-1, 1, seq, seq)
        out, _ = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(self._merge(out))

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self):
        params = []
        for layer in (self.q_proj, self.k_proj, self.v_proj, self.out_proj):
            params.extend(layer.parameters())
        return params
