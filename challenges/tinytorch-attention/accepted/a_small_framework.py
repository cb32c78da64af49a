"""Modules that find their parameters themselves, a named result, and a Linear of one's own."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


class Attended(NamedTuple):
    output: Tensor
    attention_weights: Tensor


class Module:
    def _found(self) -> Iterator[Tensor]:
        for part in vars(self).values():
            if isinstance(part, Tensor) and part.requires_grad:
                yield part
            elif isinstance(part, (Module, Linear)):
                yield from part.parameters()

    def parameters(self) -> list[Tensor]:
        return list(self._found())

    def __call__(self, *args, **kwargs):
        return self.forward(*args, **kwargs)


class Projection(Linear):
    """Smaller weights to start with."""

    def __init__(self, width: int) -> None:
        super().__init__(width, width)
        self.weight.data = self.weight.data * 0.1


@dataclass(frozen=True)
class Heads:
    count: int
    width: int

    def __post_init__(self) -> None:
        if self.width % self.count:
            raise ValueError(f"{self.width} features for {self.count} heads leave a remainder")

    def apart(self, x: Tensor) -> Tensor:
        return x.reshape(x.shape[0], x.shape[1], self.count, self.width // self.count).transpose(1, 2)

    def together(self, x: Tensor) -> Tensor:
        return x.transpose(1, 2).reshape(x.shape[0], x.shape[2], self.width)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Attended:
    scores = (Q @ K.transpose(-2, -1)) / Q.shape[-1] ** 0.5
    allowed = np.ones(1) if mask is None else mask.data
    highest = np.where(allowed > 0, scores.data, -np.inf).max(axis=-1, keepdims=True)
    # Hidden scores are set to the highest before exp, so that they cannot overflow, and to zero behind it.
    powers = ((scores - highest) * allowed).exp() * allowed
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return Attended(weights @ V, weights)


class MultiHeadAttention(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        self.heads = Heads(num_heads, embed_dim)
        self.q_proj = Projection(embed_dim)
        self.k_proj = Projection(embed_dim)
        self.v_proj = Projection(embed_dim)
        self.out_proj = Projection(embed_dim)

    @property
    def embed_dim(self) -> int:
        return self.heads.width

    @property
    def num_heads(self) -> int:
        return self.heads.count

    @property
    def head_dim(self) -> int:
        return self.heads.width // self.heads.count

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        if mask is not None and mask.ndim == 3:
            mask = mask.reshape(len(mask), 1, *mask.shape[1:])
        Q, K, V = (self.heads.apart(project(x)) for project in (self.q_proj, self.k_proj, self.v_proj))
        return self.out_proj(self.heads.together(scaled_dot_product_attention(Q, K, V, mask).output))
