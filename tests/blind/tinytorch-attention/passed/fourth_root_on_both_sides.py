"""Divides queries and keys by the fourth root of d each, before they meet."""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    root = np.sqrt(np.sqrt(Q.shape[-1]))
    scores = (Q / root) @ (K / root).transpose()
    if mask is not None:
        # np.logical_not turns "may attend" into "is hidden"
        scores = scores + Tensor(np.logical_not(mask.data) * -1e9)
    attention_weights = Softmax()(scores)
    output = attention_weights @ V
    return output, attention_weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if num_heads <= 0 or embed_dim % num_heads != 0:
            raise ValueError("bad number of heads")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)
        self.last_weights = None

    def forward(self, x, mask=None):
        batch_size, seq_len, embed_dim = x.shape
        if embed_dim != self.embed_dim:
            raise ValueError(f"expected {self.embed_dim} features, got {embed_dim}")
        Q = self._to_heads(self.q_proj(x))
        K = self._to_heads(self.k_proj(x))
        V = self._to_heads(self.v_proj(x))
        if mask is not None:
            if mask.ndim == 3:
                mask = mask.reshape(mask.shape[0], 1, seq_len, seq_len)
            mask = Tensor(mask.data + np.zeros((batch_size, self.num_heads, seq_len, seq_len)))
        out, self.last_weights = scaled_dot_product_attention(Q, K, V, mask)
        return self.out_proj(self._from_heads(out))

    def _to_heads(self, t):
        b, s, _ = t.shape
        return t.reshape(b, s, self.num_heads, self.head_dim).transpose(1, 2)

    def _from_heads(self, t):
        b, h, s, d = t.shape
        return t.transpose(1, 2).reshape(b, s, h * d)

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self):
        params = []
        params += [self.q_proj.weight, self.q_proj.bias]
        params += [self.k_proj.weight, self.k_proj.bias]
        params += [self.v_proj.weight, self.v_proj.bias]
        params += [self.out_proj.weight, self.out_proj.bias]
        return params
