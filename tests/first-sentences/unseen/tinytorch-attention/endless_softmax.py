# Says: `while not np.allclose(total, 1.0):` never ends for rows that do not add up to 1, because `total` is computed once before the loop: drop this loop, `Softmax` already gives rows that add up to 1.
# Line: 18
# Names: while, total, Softmax
# Kind: slow
import math
import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q.matmul(K.transpose()) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores + (1.0 - mask) * -1e9
    weights = scores.exp()
    total = weights.data.sum(axis=-1)
    while not np.allclose(total, 1.0):
        weights = Softmax()(scores)
    return weights.matmul(V), weights


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
        b, n, d = x.shape
        q, k, v = (p(x).reshape(b, n, self.num_heads, self.head_dim).transpose(1, 2)
                   for p in (self.q_proj, self.k_proj, self.v_proj))
        if mask is not None:
            mask = mask.reshape(mask.shape[0], 1, n, n)
        y, _ = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(y.transpose(1, 2).reshape(b, n, d))

    def parameters(self):
        return [t for p in (self.q_proj, self.k_proj, self.v_proj, self.out_proj) for t in p.parameters()]
