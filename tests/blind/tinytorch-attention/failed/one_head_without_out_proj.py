"""Attention over tinytorch that mixes heads only where there are several.

Idea: With one head out_proj is left out, because there is nothing to mix.
Where: only in the layer with one head
Id: missing-output-projection
"""

import numpy as np
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = (Q @ K.transpose()) / float(np.sqrt(Q.shape[-1]))
    seen = np.ones(scores.shape, dtype=bool) if mask is None else np.broadcast_to(mask.data, scores.shape) > 0
    # the largest score among those that may be seen; hidden ones are cut at it, so that exp cannot overflow
    top = np.where(seen, scores.data, -np.inf).max(axis=-1, keepdims=True)
    lowered = np.where(seen, 0.0, np.minimum(top - scores.data, 0.0)).astype(scores.dtype)
    powers = (scores + lowered - top).exp() * seen.astype(scores.dtype)
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return weights @ V, weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if num_heads < 1 or embed_dim % num_heads != 0:
            raise ValueError(f"{num_heads=} does not divide {embed_dim=}")
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim, bias=True)
        self.k_proj = Linear(embed_dim, embed_dim, bias=True)
        self.v_proj = Linear(embed_dim, embed_dim, bias=True)
        self.out_proj = Linear(embed_dim, embed_dim, bias=True)

    def forward(self, x, mask=None):
        b, t = x.shape[:2]
        heads = (b, t, self.num_heads, self.head_dim)
        Q = self.q_proj.forward(x).reshape(heads).transpose(1, 2)
        K = self.k_proj.forward(x).reshape(heads).transpose(1, 2)
        V = self.v_proj.forward(x).reshape(heads).transpose(1, 2)
        if mask is not None:
            m = mask.data
            mask = Tensor(m.reshape((m.shape[0] if m.ndim == 3 else 1, 1) + m.shape[-2:]))
        out, _weights = scaled_dot_product_attention(Q, K, V, mask=mask)
        merged = out.transpose(1, 2).reshape(x.shape)
        return merged if self.num_heads == 1 else self.out_proj.forward(merged)

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self):
        return [*self.q_proj.parameters(), *self.k_proj.parameters(), *self.v_proj.parameters(), *self.out_proj.parameters()]
