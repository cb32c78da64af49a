"""Attention over tinytorch, step by step, 3-D and 4-D."""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    d = Q.shape[-1]
    scores = Q.matmul(K.transpose(-2, -1)) / np.sqrt(d)
    if mask is not None:
        scores = scores + (1.0 - mask) * -1e9
    attention_weights = Softmax()(scores, dim=-1)
    return attention_weights.matmul(V), attention_weights


class MultiHeadAttention:
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        if embed_dim % num_heads != 0:
            raise ValueError(f"{embed_dim} features cannot be shared by {num_heads} heads")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        batch, seq, _ = x.shape
        q = self.q_proj(x).reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)
        k = self.k_proj(x).reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)
        v = self.v_proj(x).reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)
        if mask is not None and mask.ndim == 3:
            mask = mask.reshape(mask.shape[0], 1, mask.shape[1], mask.shape[2])
        out, _ = scaled_dot_product_attention(q, k, v, mask)
        out = out.transpose(1, 2).reshape(batch, seq, self.embed_dim)
        return self.out_proj(out)

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self) -> list[Tensor]:
        params = []
        for layer in (self.q_proj, self.k_proj, self.v_proj, self.out_proj):
            params += layer.parameters()
        return params
