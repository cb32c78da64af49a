"""The function serves masked calls of the layer; without a mask the layer writes the formula out.

Wrong: without a mask the layer does not go through scaled_dot_product_attention.
Condition: the layer without a mask; values are right, but a changed function has no effect.
Spec: "Your own `scaled_dot_product_attention` does the work in the layer, with and without a mask"
"""

import numpy as np
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5
    seen = np.ones(scores.shape, dtype=bool)
    if mask is not None:
        seen = np.broadcast_to(mask.data, scores.shape) != 0
    largest = np.max(np.where(seen, scores.data, -np.inf), axis=-1, keepdims=True)
    seen = Tensor(seen.astype(scores.dtype))
    # hidden differences become 0 before exp, which therefore cannot overflow
    powers = ((scores - Tensor(largest)) * seen).exp() * seen
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return weights @ V, weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads:
            raise ValueError("embed_dim is not a multiple of num_heads")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim, bias=True)
        self.k_proj = Linear(embed_dim, embed_dim, bias=True)
        self.v_proj = Linear(embed_dim, embed_dim, bias=True)
        self.out_proj = Linear(embed_dim, embed_dim, bias=True)

    def split_heads(self, t):
        return t.reshape(*t.shape[:2], self.num_heads, self.head_dim).transpose(1, 2)

    def merge_heads(self, t):
        t = t.transpose(1, 2)
        return t.reshape(*t.shape[:2], self.embed_dim)

    def forward(self, x, mask=None):
        q, k, v = [self.split_heads(p(x)) for p in (self.q_proj, self.k_proj, self.v_proj)]
        if mask is not None:
            mask = mask.reshape(mask.shape[:-2] + (1,) + mask.shape[-2:])
            context, _ = scaled_dot_product_attention(q, k, v, mask)
        else:
            s = q @ k.transpose() / self.head_dim ** 0.5
            e = (s - Tensor(s.data.max(axis=-1, keepdims=True))).exp()
            context = (e / e.sum(axis=-1, keepdims=True)) @ v
        return self.out_proj(self.merge_heads(context))

    def parameters(self):
        return sum((p.parameters() for p in (self.q_proj, self.k_proj, self.v_proj, self.out_proj)), [])
