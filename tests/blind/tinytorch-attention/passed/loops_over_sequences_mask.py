"""Builds the mask for the heads sequence by sequence with a loop, and scales the keys instead of the scores."""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    keys = K * (K.shape[-1] ** -0.5)
    scores = Q @ keys.transpose()
    if mask is not None:
        addend = np.zeros(mask.shape)
        addend[mask.data < 0.5] = -1e9
        scores = scores + addend
    weights = Softmax()(scores, dim=-1)
    return weights @ V, weights


class MultiHeadAttention(object):
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads != 0:
            raise ValueError("embed_dim (%d) %% num_heads (%d) != 0" % (embed_dim, num_heads))
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        batch, seq, embed = x.shape
        q = self.q_proj(x).reshape((batch, seq, self.num_heads, self.head_dim)).transpose(1, 2)
        k = self.k_proj(x).reshape((batch, seq, self.num_heads, self.head_dim)).transpose(1, 2)
        v = self.v_proj(x).reshape((batch, seq, self.num_heads, self.head_dim)).transpose(1, 2)
        if mask is None:
            out, _ = scaled_dot_product_attention(q, k, v)
        else:
            masks = mask.data if mask.ndim == 3 else mask.data[None]
            rows = []
            for one in masks:
                rows.append(one[None])
            out, _ = scaled_dot_product_attention(q, k, v, Tensor(np.array(rows)))
        out = out.transpose(1, 2).reshape((batch, seq, embed))
        return self.out_proj(out)

    def parameters(self):
        out = []
        for l in (self.q_proj, self.k_proj, self.v_proj, self.out_proj):
            out.append(l.weight)
            out.append(l.bias)
        return out
