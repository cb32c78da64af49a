"""A dataclass for the sizes, a mixin for the parameters, an attention object behind the required function, and an example under __main__."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


@dataclass(frozen=True)
class Attention:
    softmax: Softmax = field(default_factory=Softmax)
    hidden: float = -1e9

    def scores(self, queries: Tensor, keys: Tensor) -> Tensor:
        return (queries @ keys.transpose()) * float(queries.shape[-1]) ** -0.5

    def penalty(self, mask: Tensor) -> Tensor:
        return Tensor(np.where(mask.data.astype(bool), 0.0, self.hidden))

    def weights(self, queries: Tensor, keys: Tensor, mask: Tensor | None) -> Tensor:
        scores = self.scores(queries, keys)
        return self.softmax(scores if mask is None else scores + self.penalty(mask))


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    weights = Attention().weights(Q, K, mask)
    return weights @ V, weights


class Learns:
    def layers(self) -> Iterator[Linear]:
        for value in vars(self).values():
            if isinstance(value, Linear):
                yield value

    def parameters(self) -> list[Tensor]:
        found: list[Tensor] = []
        for layer in self.layers():
            found += [layer.weight, layer.bias]
        return found


class MultiHeadAttention(Learns):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        if embed_dim % num_heads != 0:
            raise ValueError(f"{num_heads} heads cannot share {embed_dim} features")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
            setattr(self, name, Linear(embed_dim, embed_dim))

    @property
    def head_dim(self) -> int:
        return self.embed_dim // self.num_heads

    def split(self, t: Tensor) -> Tensor:
        return t.reshape(t.shape[0], t.shape[1], self.num_heads, self.head_dim).transpose(1, 2)

    def merge(self, t: Tensor) -> Tensor:
        t = t.transpose(1, 2)
        return t.reshape(t.shape[0], t.shape[1], self.embed_dim)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        for_heads = None if mask is None else Tensor(np.expand_dims(mask.data, axis=-3))
        output, _ = scaled_dot_product_attention(
            self.split(self.q_proj(x)), self.split(self.k_proj(x)), self.split(self.v_proj(x)), for_heads
        )
        return self.out_proj(self.merge(output))


if __name__ == "__main__":
    two = Tensor([[[1.0, 0.0], [0.0, 1.0]]])
    print(scaled_dot_product_attention(two, two, two)[1].data)
