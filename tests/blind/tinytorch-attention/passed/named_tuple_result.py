"""Gives its two results names; they still unpack as a pair."""

from typing import NamedTuple, Optional

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


class Attended(NamedTuple):
    output: Tensor
    attention_weights: Tensor


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Optional[Tensor] = None) -> Attended:
    scores = (Q @ K.transpose()) / np.sqrt(K.data.shape[-1])
    if mask is not None:
        hidden = ~mask.data.astype(bool)
        scores = scores + np.where(hidden, -1e9, 0).astype(scores.dtype)
    weights = Softmax()(scores)
    return Attended(output=weights @ V, attention_weights=weights)


class MultiHeadAttention:
    def __init__(self, embed_dim: int, num_heads: int):
        if embed_dim % num_heads:
            raise ValueError(f"embed_dim {embed_dim} is no multiple of num_heads {num_heads}")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = int(embed_dim / num_heads)
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x: Tensor, mask: Optional[Tensor] = None) -> Tensor:
        batch, seq, embed = x.shape
        four = (batch, seq, self.num_heads, self.head_dim)
        result = scaled_dot_product_attention(
            Q=self.q_proj(x).reshape(four).transpose(1, 2),
            K=self.k_proj(x).reshape(four).transpose(1, 2),
            V=self.v_proj(x).reshape(four).transpose(1, 2),
            mask=Tensor(mask.data.reshape(batch, 1, seq, seq)) if mask is not None else None,
        )
        return self.out_proj(result.output.transpose(1, 2).reshape(batch, seq, embed))

    def __call__(self, x: Tensor, mask: Optional[Tensor] = None) -> Tensor:
        return self.forward(x, mask)

    def parameters(self):
        return self.q_proj.parameters() + self.k_proj.parameters() + self.v_proj.parameters() + self.out_proj.parameters()
