"""Attention over tinytorch for three axes, with masks of (batch, seq, seq), which is all that is asked."""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    batch, seq, d = Q.shape
    scores = Q @ K.transpose(1, 2)
    scores = scores / np.sqrt(d)
    if mask is not None:
        scores = scores + (1.0 - mask) * (-1e9)
    weights = Softmax()(scores, dim=2)
    output = weights @ V
    assert weights.shape == (batch, seq, seq)
    return output, weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads != 0:
            raise ValueError("embed_dim % num_heads != 0")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        batch, seq, embed = x.shape
        h, d = self.num_heads, self.head_dim
        q = self.q_proj(x).reshape(batch, seq, h, d).transpose(1, 2).reshape(batch * h, seq, d)
        k = self.k_proj(x).reshape(batch, seq, h, d).transpose(1, 2).reshape(batch * h, seq, d)
        v = self.v_proj(x).reshape(batch, seq, h, d).transpose(1, 2).reshape(batch * h, seq, d)
        if mask is not None:
            mask = mask[np.arange(batch * h) // h]
        out, _ = scaled_dot_product_attention(q, k, v, mask)
        out = out.reshape(batch, h, seq, d).transpose(1, 2).reshape(batch, seq, embed)
        return self.out_proj(out)

    def parameters(self):
        return self.q_proj.parameters() + self.k_proj.parameters() + self.v_proj.parameters() + self.out_proj.parameters()
