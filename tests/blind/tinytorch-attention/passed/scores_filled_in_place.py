"""The hidden scores, an array that is ours alone, are overwritten where they stand."""

from __future__ import annotations

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor

HIDDEN = -1e9


def scaled_dot_product_attention(
    Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    scores = Q @ K.transpose() * (Q.shape[-1] ** -0.5)
    if mask is not None:
        # A softmax hands no gradient to a weight of zero, so the overwritten entries learn nothing, as they should.
        np.copyto(scores.data, HIDDEN, where=mask.data < 0.5)
    attention_weights = Softmax().forward(scores, dim=-1)
    return attention_weights @ V, attention_weights


class MultiHeadAttention:
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        self.head_dim, rest = divmod(embed_dim, num_heads)
        if rest:
            raise ValueError(f"embed_dim={embed_dim} leaves {rest} over num_heads={num_heads}")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
            setattr(self, name, Linear(embed_dim, embed_dim))

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        b, t, e = x.shape
        to_heads = (b, t, self.num_heads, self.head_dim)
        q = self.q_proj(x).reshape(to_heads).transpose(1, 2)
        k = self.k_proj(x).reshape(to_heads).transpose(1, 2)
        v = self.v_proj(x).reshape(to_heads).transpose(1, 2)
        shared = None if mask is None else Tensor(mask.data[..., None, :, :])
        out = scaled_dot_product_attention(q, k, v, shared)[0]
        return self.out_proj(out.transpose(1, 2).reshape(b, t, e))

    def __call__(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        return self.forward(x, mask)

    def parameters(self) -> list[Tensor]:
        return [
            self.q_proj.weight, self.q_proj.bias,
            self.k_proj.weight, self.k_proj.bias,
            self.v_proj.weight, self.v_proj.bias,
            self.out_proj.weight, self.out_proj.bias,
        ]
