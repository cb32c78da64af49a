"""Heads are folded into the batch, but the masks are tiled where they must be repeated: sequence 0 gets the mask of sequence 1 as soon as there are two."""
# expect: mask goes to wrong sequence
import math

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor

NEG = -1e9


def scaled_dot_product_attention(Q, K, V, mask=None):
    assert Q.shape[-1] == K.shape[-1]
    alpha = 1.0 / math.sqrt(Q.shape[-1])
    S = (Q @ K.transpose(-2, -1)) * alpha
    if mask is not None:
        S = S + (1.0 - mask) * NEG
    P = Softmax().forward(S, dim=-1)
    return P @ V, P


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads != 0:
            raise ValueError("embed_dim must be a multiple of num_heads")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def fold(self, t):
        B, T, E = t.shape
        H, D = self.num_heads, self.head_dim
        return t.reshape(B, T, H, D).transpose(1, 2).reshape(B * H, T, D)

    def unfold(self, t, B):
        BH, T, D = t.shape
        return t.reshape(B, self.num_heads, T, D).transpose(1, 2).reshape(B, T, self.embed_dim)

    def forward(self, x, mask=None):
        B, T, E = x.shape
        q, k, v = self.fold(self.q_proj(x)), self.fold(self.k_proj(x)), self.fold(self.v_proj(x))
        big = None
        if mask is not None:
            m = np.broadcast_to(mask.data, (B, T, T))
            big = Tensor(np.tile(m, (self.num_heads, 1, 1)))
        y, _ = scaled_dot_product_attention(q, k, v, big)
        return self.out_proj(self.unfold(y, B))

    def parameters(self):
        out = []
        for lin in [self.q_proj, self.k_proj, self.v_proj, self.out_proj]:
            out.append(lin.weight)
            out.append(lin.bias)
        return out
