from functools import partial

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor

softmax = Softmax()


def scaled_dot_product_attention(queries, keys, values, mask=None, *, hide=-1e9):
    """Works for any number of axes before (seq, d)."""
    width = keys.shape[-1]
    similarity = queries.matmul((keys * (width**-0.5)).transpose())
    if mask is not None:
        m = mask.data
        while m.ndim < similarity.ndim:
            m = m[np.newaxis] if m.ndim < 3 else m[:, np.newaxis]
        similarity = similarity + Tensor(np.where(m > 0, 0.0, hide).astype(similarity.data.dtype))
    attention_weights = softmax(similarity)
    return attention_weights.matmul(values), attention_weights


class MultiHeadAttention:
    NAMES = ("q_proj", "k_proj", "v_proj", "out_proj")

    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads:
            raise ValueError("embed_dim % num_heads must be 0")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        for name in self.NAMES:
            setattr(self, name, Linear(embed_dim, embed_dim))
        self.attend = partial(scaled_dot_product_attention, hide=-1e9)

    def _heads(self, x, layer):
        y = layer(x)
        return y.reshape(*y.shape[:2], self.num_heads, self.head_dim).transpose(1, 2)

    def forward(self, x, mask=None):
        q = self._heads(x, self.q_proj)
        k = self._heads(x, self.k_proj)
        v = self._heads(x, self.v_proj)
        y, _ = self.attend(q, k, v, mask)
        return self.out_proj(y.transpose(1, 2).reshape(*x.shape))

    def __call__(self, *args, **kwargs):
        return self.forward(*args, **kwargs)

    def parameters(self):
        return [p for name in self.NAMES for p in getattr(self, name).parameters()]
