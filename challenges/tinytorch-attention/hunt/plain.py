"""Attention over tinytorch: helpers for the heads, one step a line."""

import math

from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    d_k = Q.shape[-1]
    scores = Q.matmul(K.transpose(-2, -1))
    scores = scores / math.sqrt(d_k)
    if mask is not None:
        penalty = (1.0 - mask.data) * -1e9
        scores = scores + Tensor(penalty)
    softmax = Softmax()
    attention_weights = softmax(scores, dim=-1)
    output = attention_weights.matmul(V)
    return output, attention_weights


class MultiHeadAttention:
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        if embed_dim % num_heads != 0:
            raise ValueError("embed_dim must be divisible by num_heads")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def _split(self, x: Tensor) -> Tensor:
        batch, seq, _ = x.shape
        x = x.reshape(batch, seq, self.num_heads, self.head_dim)
        return x.transpose(1, 2)

    def _merge(self, x: Tensor) -> Tensor:
        batch, _, seq, _ = x.shape
        x = x.transpose(1, 2)
        return x.reshape(batch, seq, self.embed_dim)

    def _with_heads(self, mask: Tensor | None) -> Tensor | None:
        if mask is None or len(mask.shape) != 3:
            return mask
        batch, rows, columns = mask.shape
        return mask.reshape(batch, 1, rows, columns)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        Q = self._split(self.q_proj(x))
        K = self._split(self.k_proj(x))
        V = self._split(self.v_proj(x))
        attended, _ = scaled_dot_product_attention(Q, K, V, self._with_heads(mask))
        merged = self._merge(attended)
        return self.out_proj(merged)

    def __call__(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        return self.forward(x, mask)

    def parameters(self) -> list[Tensor]:
        params = []
        for layer in [self.q_proj, self.k_proj, self.v_proj, self.out_proj]:
            params.extend(layer.parameters())
        return params
