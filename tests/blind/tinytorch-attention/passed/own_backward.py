"""A right answer of the seventh corpus."""
import math

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def _operation(data, *sources):
    result = Tensor(data)
    result.sources = tuple((t, fn) for t, fn in sources if t.requires_grad)
    result.requires_grad = len(result.sources) > 0
    return result


def _back(g, shape):
    while g.ndim > len(shape):
        g = g.sum(axis=0)
    return g


def scaled_dot_product_attention(Q, K, V, mask=None):
    q, k, v = Q.data, K.data, V.data
    scale = 1.0 / math.sqrt(q.shape[-1])
    s = np.matmul(q, k.swapaxes(-1, -2)) * scale
    if mask is not None:
        s = np.where(np.broadcast_to(mask.data, s.shape) > 0, s, -np.inf)
    s = s - s.max(axis=-1, keepdims=True)
    p = np.exp(s)
    p = p / p.sum(axis=-1, keepdims=True)
    p = p.astype(q.dtype)

    def d_scores(g):
        dp = np.matmul(g, v.swapaxes(-1, -2))
        return p * (dp - (dp * p).sum(axis=-1, keepdims=True)) * scale

    output = _operation(
        np.matmul(p, v),
        (Q, lambda g: np.matmul(d_scores(g), k)),
        (K, lambda g: np.matmul(d_scores(g).swapaxes(-1, -2), q)),
        (V, lambda g: np.matmul(p.swapaxes(-1, -2), g)),
    )
    return output, Tensor(p)


class MultiHeadAttention:
    """Attention in several heads at once."""

    def __init__(self, embed_dim, num_heads):
        assert embed_dim % num_heads == 0, "num_heads must divide embed_dim"
        self.embed_dim, self.num_heads = embed_dim, num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (Linear(embed_dim, embed_dim) for _ in range(4))

    def _split(self, t):
        return t.reshape(t.shape[0], t.shape[1], self.num_heads, self.head_dim).transpose(1, 2)

    def _merge(self, t):
        t = t.transpose(1, 2)
        return t.reshape(t.shape[0], t.shape[1], self.embed_dim)

    def forward(self, x, mask=None):
        q, k, v = self._split(self.q_proj(x)), self._split(self.k_proj(x)), self._split(self.v_proj(x))
        if mask is not None and len(mask.shape) > 2:
            mask = mask[:, None]
        out, self.last_weights = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(self._merge(out))

    def parameters(self):
        return [
            *self.q_proj.parameters(),
            *self.k_proj.parameters(),
            *self.v_proj.parameters(),
            *self.out_proj.parameters(),
        ]
