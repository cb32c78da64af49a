"""Softmax by hand; features are dealt out to the heads in turn.

Wrong: head h gets features h, h+heads, h+2*heads ... instead of a block of neighbours.
Condition: more than one head and a head_dim above one.
Spec: "head `h` owns features `h*head_dim` to `(h+1)*head_dim`"
"""

import numpy as np
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def _row_softmax(scores):
    top = Tensor(np.max(scores.data, axis=-1, keepdims=True))  # a constant shift: no gradient needed
    e = (scores - top).exp()
    total = e.sum(axis=-1, keepdims=True)
    return e / total


def scaled_dot_product_attention(query, key, value, attn_mask=None):
    width = query.shape[-1]
    scores = (query @ key.transpose(-2, -1)) * (width ** -0.5)
    if attn_mask is not None:
        wall = np.where(attn_mask.data > 0.5, 0.0, -np.inf)
        scores = scores + wall
    probs = _row_softmax(scores)
    return probs @ value, probs


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        assert embed_dim % num_heads == 0, "num_heads must divide embed_dim"
        self.embed_dim, self.num_heads = embed_dim, num_heads
        self.head_dim = embed_dim // num_heads
        for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
            setattr(self, name, Linear(embed_dim, embed_dim))

    def forward(self, x, mask=None):
        b, s, e = x.shape
        h, hd = self.num_heads, self.head_dim
        q, k, v = (
            p(x).reshape(b, s, hd, h).transpose(2, 3).transpose(1, 2) for p in (self.q_proj, self.k_proj, self.v_proj)
        )
        if mask is not None:
            mask = Tensor(mask.data[..., None, :, :])
        heads, _ = scaled_dot_product_attention(q, k, v, mask)
        joined = heads.transpose(1, 2).transpose(2, 3).reshape(b, s, e)
        return self.out_proj(joined)

    def parameters(self):
        layers = (self.q_proj, self.k_proj, self.v_proj, self.out_proj)
        return [t for layer in layers for t in (layer.weight, layer.bias)]
