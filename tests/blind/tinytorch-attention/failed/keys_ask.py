"""Attention over tinytorch where the keys ask the queries.

Idea: Queries and keys have changed places in the product.
Where: everywhere
Id: qk-swapped
"""

from functools import lru_cache

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


@lru_cache(maxsize=16)
def _bias(numbers: bytes, shape: tuple, kind: str) -> np.ndarray:
    allowed = np.frombuffer(numbers, dtype=kind).reshape(shape)
    return np.where(allowed == 0, -1e9, 0.0).astype(np.float32)


def scaled_dot_product_attention(Q, K, V, mask=None, softmax=Softmax()):
    scores = K @ Q.transpose() / Q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores + _bias(mask.data.tobytes(), mask.shape, mask.data.dtype.str)
    weights = softmax(scores)
    return weights @ V, weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads, verbose=False):
        if embed_dim % num_heads != 0:
            raise ValueError("no")
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.q_proj, self.k_proj = Linear(embed_dim, embed_dim), Linear(embed_dim, embed_dim)
        self.v_proj, self.out_proj = Linear(embed_dim, embed_dim), Linear(embed_dim, embed_dim)
        self.verbose = verbose

    def forward(self, x, mask=None):
        B, T, E = x.shape
        q, k, v = self.q_proj(x), self.k_proj(x), self.v_proj(x)
        q, k, v = [z.reshape(B, T, self.num_heads, -1).transpose(1, 2) for z in (q, k, v)]
        if mask is not None:
            mask = Tensor(mask.data[..., np.newaxis, :, :])
        out, weights = scaled_dot_product_attention(q, k, v, mask)
        if self.verbose:
            print("weights", weights.shape)
        return self.out_proj(out.transpose(1, 2).reshape(B, T, E))

    def parameters(self):
        return [t for p in (self.q_proj, self.k_proj, self.v_proj, self.out_proj) for t in (p.weight, p.bias)]
