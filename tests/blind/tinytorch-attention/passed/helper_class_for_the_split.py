"""A little class of its own knows how heads are split off and put back."""

from __future__ import annotations

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


class Heads:
    def __init__(self, count: int, width: int) -> None:
        self.count = count
        self.width = width

    def split(self, t: Tensor) -> Tensor:
        b, s, _ = t.shape
        return t.reshape(b, s, self.count, self.width).transpose(1, 2)

    def join(self, t: Tensor) -> Tensor:
        t = t.transpose(1, 2)
        b, s, _, _ = t.shape
        return t.reshape(b, s, self.count * self.width)


def hide(scores: Tensor, mask: Tensor | None) -> Tensor:
    return scores if mask is None else scores + Tensor((mask.data - 1.0) * 1e9)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    weights = Softmax()(hide(Q @ K.transpose() / np.sqrt(Q.shape[-1]), mask))
    return weights @ V, weights


class MultiHeadAttention:
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        if embed_dim % num_heads:
            raise ValueError(f"{embed_dim} features cannot be dealt out to {num_heads} heads")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.heads = Heads(num_heads, self.head_dim)
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        split = self.heads.split
        out, _ = scaled_dot_product_attention(
            split(self.q_proj(x)),
            split(self.k_proj(x)),
            split(self.v_proj(x)),
            None if mask is None else Tensor(np.expand_dims(mask.data, 1)),
        )
        return self.out_proj(self.heads.join(out))

    def __call__(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        return self.forward(x, mask)

    def parameters(self) -> list[Tensor]:
        return self.out_proj.parameters() + self.v_proj.parameters() + self.k_proj.parameters() + self.q_proj.parameters()
