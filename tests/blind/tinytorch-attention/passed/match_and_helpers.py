"""A right answer of the seventh corpus."""
import math

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


import logging

logger = logging.getLogger(__name__)


def _bias(mask: Tensor, like: Tensor) -> np.ndarray:
    bias = np.zeros(mask.shape, dtype=like.data.dtype)
    bias[mask.data != 1] = -1e9
    return bias


def scaled_dot_product_attention(
    Q: Tensor, K: Tensor, V: Tensor, mask: "Tensor | None" = None
) -> "tuple[Tensor, Tensor]":
    if Q.shape[-1] != K.shape[-1]:
        raise ValueError("queries and keys must have the same width")
    scores = Q.matmul(K.transpose(-2, -1))
    scores = scores * (1.0 / math.sqrt(K.shape[-1]))
    if mask is not None:
        scores = scores + _bias(mask, scores)
    weights = Softmax()(scores, -1)
    logger.debug("weights %s", weights.shape)
    return weights.matmul(V), weights


class MultiHeadAttention:
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        match divmod(embed_dim, num_heads):
            case (size, 0):
                self.head_dim = size
            case _:
                raise ValueError(f"{num_heads} does not divide {embed_dim}")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x: Tensor, mask: "Tensor | None" = None) -> Tensor:
        b, s, e = x.shape
        to_heads = lambda y: y.reshape(b, s, self.num_heads, self.head_dim).transpose(2, 1)
        if mask is not None:
            match mask.shape:
                case (rows, cols):
                    mask = mask.reshape(1, 1, rows, cols)
                case (n, rows, cols):
                    mask = mask.reshape(n, 1, rows, cols)
        heads, _ = scaled_dot_product_attention(
            V=to_heads(self.v_proj(x)), K=to_heads(self.k_proj(x)), Q=to_heads(self.q_proj(x)), mask=mask
        )
        out = self.out_proj(heads.transpose(2, 1).reshape(b, s, e))
        assert out.shape == x.shape
        return out

    def parameters(self) -> "list[Tensor]":
        params: list[Tensor] = []
        params += self.q_proj.parameters()
        params += self.k_proj.parameters()
        params += self.v_proj.parameters()
        params += self.out_proj.parameters()
        return params
