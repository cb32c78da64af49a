"""A layer that remembers its last answer.

Idea: If x is the Tensor of the last call, the last output is returned, though weights or mask may have changed.
Where: only when the same Tensor x comes twice in a row, with changed weights or another mask between
Id: stale-cache
"""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor

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
        self.head_dim, rest = divmod(embed_dim, num_heads)
        if rest:
            raise ValueError(f"{rest} features are left over")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)
        self.last_x = self.last_y = None

    def fold(self, t):
        B, T, _ = t.shape
        t = t.reshape(B, T, self.num_heads, self.head_dim)
        return t.transpose(1, 2).reshape(B * self.num_heads, T, self.head_dim)

    def unfold(self, t, B):
        T = t.shape[1]
        t = t.reshape(B, self.num_heads, T, self.head_dim)
        return t.transpose(1, 2).reshape(B, T, self.embed_dim)

    def forward(self, x, mask=None):
        if x is self.last_x:
            return self.last_y
        B, T, _ = x.shape
        if mask is not None:
            mask = Tensor(np.repeat(np.broadcast_to(mask.data, (B, T, T)), self.num_heads, axis=0))
        q, k, v = self.fold(self.q_proj(x)), self.fold(self.k_proj(x)), self.fold(self.v_proj(x))
        out, _ = scaled_dot_product_attention(q, k, v, mask)
        self.last_x, self.last_y = x, self.out_proj(self.unfold(out, B))
        return self.last_y

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self):
        return self.q_proj.parameters() + self.k_proj.parameters() + self.v_proj.parameters() + self.out_proj.parameters()
