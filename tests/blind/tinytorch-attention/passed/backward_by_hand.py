"""Attention as one operation with its backward by hand: a Tensor with sources of its own."""
import numpy as np
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def _made(data, *sources):
    result = Tensor(data)
    result.sources = tuple(pair for pair in sources if pair[0].requires_grad)
    result.requires_grad = len(result.sources) > 0
    return result


def scaled_dot_product_attention(Q, K, V, mask=None):
    q, k, v = Q.data, K.data, V.data
    root = np.sqrt(np.array(q.shape[-1], q.dtype))
    s = q @ k.swapaxes(-1, -2) / root
    if mask is not None:
        s = np.where(mask.data == 0, np.array(-np.inf, s.dtype), s)
    e = np.exp(s - s.max(-1, keepdims=True))
    p = e / e.sum(-1, keepdims=True)

    def to_scores(g):
        dp = g @ v.swapaxes(-1, -2)
        return p * (dp - (dp * p).sum(-1, keepdims=True)) / root

    output = _made(
        p @ v,
        (Q, lambda g: to_scores(g) @ k),
        (K, lambda g: to_scores(g).swapaxes(-1, -2) @ q),
        (V, lambda g: p.swapaxes(-1, -2) @ g),
    )
    return output, Tensor(p)


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads:
            raise ValueError("embed_dim % num_heads != 0")
        self.embed_dim, self.num_heads = embed_dim, num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        b, s, e = x.shape
        heads = lambda t: t.reshape(b, s, self.num_heads, self.head_dim).transpose(1, 2)
        if mask is not None:
            mask = Tensor(np.expand_dims(np.broadcast_to(mask.data, (b, s, s)), 1))
        y, _ = scaled_dot_product_attention(heads(self.q_proj(x)), heads(self.k_proj(x)), heads(self.v_proj(x)), mask)
        return self.out_proj(y.transpose(1, 2).reshape(b, s, e))

    def parameters(self):
        return [getattr(getattr(self, f"{which}_proj"), what) for which in ("q", "k", "v", "out") for what in ("weight", "bias")]
