"""Fused projection; the mask is turned to zero and minus infinity by one product.

Wrong: (1 - mask) * -inf is nan where the mask is 1, so that everything visible turns to nan.
Condition: with a mask.
Spec: "the rest of the row still adds up to 1"
"""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    S = Q @ K.transpose() / float(np.sqrt(Q.shape[-1]))
    if mask is not None:
        S = S + (1.0 - mask.data) * float("-inf")
    P = Softmax().forward(S)
    return P @ V, P


def _place(width, which):
    """(width, 3*width): moves columns to the third number `which`."""
    place = np.zeros((width, 3 * width), np.float32)
    place[:, which * width : (which + 1) * width] = np.eye(width)
    return Tensor(place)


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads:
            raise ValueError("heads do not divide the features")
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def _qkv(self, x):
        E = self.embed_dim
        W = b = None
        for i, p in enumerate((self.q_proj, self.k_proj, self.v_proj)):
            Wi = p.weight @ _place(E, i)
            bi = p.bias.reshape(1, E) @ _place(E, i)
            W = Wi if W is None else W + Wi
            b = bi if b is None else b + bi
        return x @ W + b

    def forward(self, x, mask=None):
        B, S, E = x.shape
        qkv = self._qkv(x).reshape(B, S, 3, self.num_heads, self.head_dim)
        q = qkv[:, :, 0].transpose(1, 2)
        k = qkv[:, :, 1].transpose(1, 2)
        v = qkv[:, :, 2].transpose(1, 2)
        if mask is not None:
            mask = mask.reshape(*mask.shape[:-2], 1, *mask.shape[-2:])
        z, _ = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(z.transpose(1, 2).reshape(B, S, E))

    def parameters(self):
        return [*self.q_proj.parameters(), *self.k_proj.parameters(), *self.v_proj.parameters(), *self.out_proj.parameters()]
