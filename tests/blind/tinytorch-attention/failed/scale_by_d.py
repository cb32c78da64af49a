"""Attention over tinytorch divided by d.

Idea: The scores are divided by d itself, not by its root.
Where: everywhere that d is not 1
"""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor

NEVER = -1e9


def scaled_dot_product_attention(queries, keys, values, allowed=None):
    width = queries.shape[-1]
    keys_turned = keys.transpose(keys.ndim - 2, keys.ndim - 1)
    scores = (queries / width) @ keys_turned
    if allowed is not None:
        keep = Tensor(np.array(allowed.data != 0, dtype=np.float32))
        scores = scores * keep + (1 - keep) * NEVER
    shares = Softmax()(scores)
    return shares @ values, shares


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads:
            raise ValueError("does not divide")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = int(embed_dim / num_heads)
        self.out_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.q_proj = Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        n, s, _ = x.shape
        cut = lambda y: y.reshape((n, s, self.num_heads, self.head_dim)).transpose(-3, -2)
        if mask is not None:
            mask = Tensor(np.expand_dims(mask.data, axis=-3))
        heads, shares = scaled_dot_product_attention(cut(self.q_proj(x)), cut(self.k_proj(x)), cut(self.v_proj(x)), mask)
        del shares
        return self.out_proj(heads.transpose(-3, -2).reshape((n, s, -1)))

    def parameters(self):
        q, k, v, o = self.q_proj, self.k_proj, self.v_proj, self.out_proj
        return [q.weight, k.weight, v.weight, o.weight, q.bias, k.bias, v.bias, o.bias]
