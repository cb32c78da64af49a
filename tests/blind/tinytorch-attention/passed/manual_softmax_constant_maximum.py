"""A softmax of its own, with the maximum of each row as a constant."""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def stable_softmax(t: Tensor) -> Tensor:
    top = np.max(t.data, axis=-1, keepdims=True)
    e = (t - top).exp()
    return e / e.sum(axis=-1, keepdims=True)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None):
    scores = Q.matmul(K.transpose()) * (1.0 / np.sqrt(Q.shape[-1]))
    if mask is not None:
        scores = scores + Tensor((1 - mask.data) * -1e9)
    weights = stable_softmax(scores)
    return weights.matmul(V), weights


class MultiHeadAttention:
    """Attention in several heads at once."""

    def __init__(self, embed_dim: int, num_heads: int) -> None:
        if embed_dim % num_heads != 0:
            raise ValueError(f"embed_dim ({embed_dim}) must be a multiple of num_heads ({num_heads})")
        self.embed_dim: int = embed_dim
        self.num_heads: int = num_heads
        self.head_dim: int = embed_dim // num_heads
        self.q_proj: Linear = Linear(embed_dim, embed_dim)
        self.k_proj: Linear = Linear(embed_dim, embed_dim)
        self.v_proj: Linear = Linear(embed_dim, embed_dim)
        self.out_proj: Linear = Linear(embed_dim, embed_dim)

    def split_heads(self, t: Tensor) -> Tensor:
        batch, seq, _ = t.shape
        return t.reshape((batch, seq, self.num_heads, self.head_dim)).transpose(1, 2)

    def merge_heads(self, t: Tensor) -> Tensor:
        batch, _, seq, _ = t.shape
        return t.transpose(1, 2).reshape((batch, seq, self.embed_dim))

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        q, k, v = (self.split_heads(p.forward(x)) for p in (self.q_proj, self.k_proj, self.v_proj))
        if mask is not None:
            mask = Tensor(mask.data[:, np.newaxis, :, :])
        attended, _ = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj.forward(self.merge_heads(attended))

    def __call__(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        return self.forward(x, mask)

    def parameters(self) -> list[Tensor]:
        found: list[Tensor] = []
        found += self.q_proj.parameters()
        found += self.k_proj.parameters()
        found += self.v_proj.parameters()
        found += self.out_proj.parameters()
        return found
