"""Wrong: the softmax runs over the queries."""
from __future__ import annotations

from typing import NamedTuple, Optional, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor

Array: TypeAlias = npt.NDArray[np.floating]


class Attended(NamedTuple):
    output: Tensor
    attention_weights: Tensor


class Learns(Protocol):
    def parameters(self) -> list[Tensor]: ...


def _with_heads(mask: Optional[Tensor]) -> Optional[Tensor]:
    return mask if mask is None else Tensor(np.expand_dims(np.atleast_3d(mask.data) if mask.ndim == 3 else mask.data[np.newaxis], 1))


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Optional[Tensor] = None) -> Attended:
    scores = Q.matmul(K.transpose()) / float(np.sqrt(Q.shape[-1]))
    if mask is not None:
        visible: Array = mask.data
        penalty = np.zeros(np.broadcast_shapes(visible.shape, scores.shape), dtype=scores.dtype)
        penalty[np.broadcast_to(visible, penalty.shape) < 0.5] = -np.inf
        scores = scores + Tensor(penalty)
    weights = Softmax().forward(scores, dim=-2)
    return Attended(output=weights.matmul(V), attention_weights=weights)


class MultiHeadAttention:
    """embed_dim features in num_heads heads."""

    q_proj: Linear
    k_proj: Linear
    v_proj: Linear
    out_proj: Linear

    def __init__(self, embed_dim: int, num_heads: int) -> None:
        head_dim, rest = divmod(embed_dim, num_heads)
        if rest:
            raise ValueError(f"{embed_dim} features cannot be shared by {num_heads} heads")
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, head_dim
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (Linear(embed_dim, embed_dim) for _ in range(4))

    def _split(self, t: Tensor) -> Tensor:
        return t.reshape((*t.shape[:2], self.num_heads, self.head_dim)).transpose(1, 2)

    def forward(self, x: Tensor, mask: Optional[Tensor] = None) -> Tensor:
        q, k, v = map(self._split, (self.q_proj(x), self.k_proj(x), self.v_proj(x)))
        result = scaled_dot_product_attention(q, k, v, mask=_with_heads(mask))
        return self.out_proj(result.output.transpose(1, 2).reshape(x.shape))

    def parameters(self) -> list[Tensor]:
        layers: tuple[Learns, ...] = (self.q_proj, self.k_proj, self.v_proj, self.out_proj)
        return sum((layer.parameters() for layer in layers), [])
