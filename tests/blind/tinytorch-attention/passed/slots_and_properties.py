"""Right: __slots__, properties, match and walrus; the heads' axis is made by indexing with None."""
from __future__ import annotations

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor

NAMES = ("q_proj", "k_proj", "v_proj", "out_proj")


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    scores = (Q @ K.transpose()) / (d := Q.shape[-1]) ** 0.5
    assert d > 0, "vectors without features"
    match mask:
        case None:
            pass
        case Tensor(data=m):
            scores = scores + Tensor(np.where(m > 0, np.zeros((), scores.dtype), np.full((), -1e9, scores.dtype)))
    weights = Softmax()(scores)
    return weights @ V, weights


class MultiHeadAttention:
    __slots__ = ("embed_dim", "num_heads", *NAMES)

    def __init__(self, embed_dim: int, num_heads: int) -> None:
        if (rest := embed_dim % num_heads) != 0:
            raise ValueError(f"{rest} of {embed_dim} features would belong to no head")
        self.embed_dim, self.num_heads = embed_dim, num_heads
        for name in NAMES:
            setattr(self, name, Linear(embed_dim, embed_dim))

    @property
    def head_dim(self) -> int:
        return self.embed_dim // self.num_heads

    @property
    def layers(self) -> list[Linear]:
        return [getattr(self, name) for name in NAMES]

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        b, s, _ = x.shape
        *qkv, last = self.layers
        split = [layer(x).reshape(b, s, self.num_heads, self.head_dim).transpose(1, 2) for layer in qkv]
        match mask and mask.ndim:
            case 3:
                mask = mask[:, None]
            case 2:
                mask = mask[None, None]
        context, _ = scaled_dot_product_attention(*split, mask)
        return last(context.transpose(1, 2).reshape(b, s, self.embed_dim))

    def parameters(self) -> list[Tensor]:
        return [p for layer in self.layers for p in layer.parameters()]
