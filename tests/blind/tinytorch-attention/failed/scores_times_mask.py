"""Attention that multiplies its scores with the mask.

Idea: A hidden score becomes zero, which the softmax takes for a score like any other.
Where: only when a mask hides something
"""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    d = Q.shape[-1]
    scores = Q.matmul(K.transpose())
    scores = scores / np.sqrt(d)
    if mask is not None:
        scores = scores * mask
    weights = Softmax()(scores, dim=-1)
    output = weights.matmul(V)
    return output, weights


class MultiHeadAttention:
    """Attention in num_heads heads at once, each on embed_dim // num_heads features."""

    def __init__(self, embed_dim: int, num_heads: int) -> None:
        if embed_dim % num_heads:
            raise ValueError(f"embed_dim={embed_dim} is no multiple of num_heads={num_heads}")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
            setattr(self, name, Linear(embed_dim, embed_dim))

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        b, t, e = x.shape
        to_heads = (b, t, self.num_heads, self.head_dim)
        q, k, v = (p(x).reshape(to_heads).transpose(1, 2) for p in (self.q_proj, self.k_proj, self.v_proj))
        shared = None if mask is None else Tensor(mask.data[..., None, :, :])
        out = scaled_dot_product_attention(q, k, v, shared)[0]
        merged = out.transpose(1, 2).reshape(b, t, e)
        return self.out_proj(merged)

    def __call__(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        return self.forward(x, mask)

    def parameters(self) -> list[Tensor]:
        return [
            self.q_proj.weight, self.q_proj.bias,
            self.k_proj.weight, self.k_proj.bias,
            self.v_proj.weight, self.v_proj.bias,
            self.out_proj.weight, self.out_proj.bias,
        ]
