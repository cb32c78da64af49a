"""Hides keys after exp, not before: powers of hidden keys are set to zero, and the rest is shared out among the others."""

import numpy as np
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = (Q / np.sqrt(Q.shape[-1])) @ K.transpose()
    seen = np.ones(scores.shape) if mask is None else np.broadcast_to(mask.data, scores.shape)
    # The largest score among the visible ones; hidden scores are brought down to it so that exp cannot overflow.
    top = np.where(seen > 0, scores.data, -np.inf).max(axis=-1, keepdims=True)
    visible = (seen > 0).astype(scores.dtype)
    powers = ((scores - top) * visible).exp() * visible
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return weights @ V, weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        assert not embed_dim % num_heads, "num_heads has to divide embed_dim"
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        B, S, E = x.shape
        H, D = self.num_heads, self.head_dim
        Q = self.q_proj(x).reshape(B, S, H, D).transpose(1, 2)
        K = self.k_proj(x).reshape(B, S, H, D).transpose(1, 2)
        V = self.v_proj(x).reshape(B, S, H, D).transpose(1, 2)
        if mask is not None:
            mask = Tensor(np.broadcast_to(mask.data, (B, S, S))[:, None])
        O, _ = scaled_dot_product_attention(Q, K, V, mask)
        return self.out_proj(O.transpose(1, 2).reshape(B, S, E))

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self):
        return [self.q_proj.weight, self.k_proj.weight, self.v_proj.weight, self.out_proj.weight,
                self.q_proj.bias, self.k_proj.bias, self.v_proj.bias, self.out_proj.bias]
