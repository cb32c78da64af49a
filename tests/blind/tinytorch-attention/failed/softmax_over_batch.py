"""Attention whose softmax takes the first axis.

Idea: The softmax runs over axis 0, the sequences of the batch, instead of over the keys.
Where: everywhere
Id: softmax-dim
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
    attention = Softmax()(energy, 0)
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

    def forward(self, x, mask=None):
        batch, seq, _ = x.shape
        q = self.q_proj.forward(x)
        k = self.k_proj.forward(x)
        v = self.v_proj.forward(x)
        q = q.reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)
        k = k.reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)
        v = v.reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)
        if mask is not None:
            mask = mask.reshape(mask.shape[0], 1, seq, seq)
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
