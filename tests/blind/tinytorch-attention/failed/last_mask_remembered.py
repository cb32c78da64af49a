"""A layer that keeps using the last mask it was given.

Idea: A call without a mask uses the mask of an earlier call.
Where: only when a call without a mask follows a call with one of the same size
Id: stale-cache
"""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear

NEG = -1e9


def scaled_dot_product_attention(Q, K, V, mask=None):
    # scores: how well each query fits each key
    width = K.shape[-1]
    energy = Q.matmul(K.transpose(-1, -2)) * (1 / np.sqrt(width))

    # hide what may not be seen
    if mask is not None:
        hidden = np.logical_not(mask.data)
        energy = energy + hidden * NEG

    # weights, then the average of the values
    attention = Softmax()(energy, -1)
    context = attention.matmul(V)
    return context, attention


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads != 0:
            raise ValueError("embed_dim must be divisible by num_heads")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)
        self.mask = None

    def forward(self, x, mask=None):
        batch, seq, _ = x.shape
        q = self.q_proj.forward(x)
        k = self.k_proj.forward(x)
        v = self.v_proj.forward(x)
        q = q.reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)
        k = k.reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)
        v = v.reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)
        if mask is not None:
            self.mask = mask.reshape(mask.shape[0], 1, seq, seq)
        mask = self.mask
        if mask is not None and mask.shape not in ((batch, 1, seq, seq), (1, 1, seq, seq)):
            mask = None
        out, _ = scaled_dot_product_attention(q, k, v, mask)
        out = out.transpose(1, 2).reshape(batch, seq, self.embed_dim)
        return self.out_proj.forward(out)

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self):
        params = []
        for layer in [self.q_proj, self.k_proj, self.v_proj, self.out_proj]:
            params.extend(layer.parameters())
        return params
