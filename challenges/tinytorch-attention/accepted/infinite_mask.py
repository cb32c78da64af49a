"""Hidden scores become minus infinity, and the softmax is written by hand."""

import numpy as np
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def softmax(x, axis=-1):
    powers = (x - x.max(axis=axis, keepdims=True)).exp()
    return powers / powers.sum(axis=axis, keepdims=True)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = (Q @ K.transpose()) * Q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores + np.where(mask.data == 0, -np.inf, 0.0)
    weights = softmax(scores)
    return weights @ V, weights


class MultiHeadAttention:
    def __init__(self, embed_dim: int, num_heads: int):
        self.head_dim, rest = divmod(embed_dim, num_heads)
        if rest:
            raise ValueError(f"{embed_dim} % {num_heads} = {rest}, and should be 0")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
            setattr(self, name, Linear(embed_dim, embed_dim))

    def forward(self, x, mask=None):
        shape = (*x.shape[:2], self.num_heads, self.head_dim)
        q, k, v = (layer(x).reshape(shape).transpose(-3, -2) for layer in (self.q_proj, self.k_proj, self.v_proj))
        if mask is not None and mask.ndim == 3:
            mask = mask[:, None]
        y, _ = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(y.transpose(-3, -2).reshape(x.shape))

    __call__ = forward

    def parameters(self):
        return [p for layer in vars(self).values() if isinstance(layer, Linear) for p in layer.parameters()]
