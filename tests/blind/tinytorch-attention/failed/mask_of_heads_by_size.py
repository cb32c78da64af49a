"""Attention over tinytorch that guesses what the mask's first axis is.

Idea: A mask with as many matrices as heads is taken for one mask for each head.
Where: only in the layer with a mask when batch equals num_heads, both above 1
"""

import math
from typing import Optional, Tuple

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


class Module:
    def __call__(self, *inputs):
        return self.forward(*inputs)

    def parameters(self):
        found = []
        for child in vars(self).values():
            if hasattr(child, "parameters"):
                found.extend(child.parameters())
        return found


class _Attention(Module):
    def __init__(self):
        self.softmax = Softmax()

    def forward(self, Q, K, V, mask):
        logits = Q.matmul(K.transpose(-1, -2)) / math.sqrt(Q.shape[-1])
        if mask is not None:
            bias = np.zeros_like(mask.data)
            bias[mask.data == 0] = -1e9
            logits = logits + Tensor(bias)
        w = self.softmax(logits)
        return w.matmul(V), w


_attend = _Attention()


def scaled_dot_product_attention(
    Q: Tensor, K: Tensor, V: Tensor, mask: Optional[Tensor] = None
) -> Tuple[Tensor, Tensor]:
    return _attend(Q, K, V, mask)


class MultiHeadAttention(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        assert embed_dim % num_heads == 0, "embed_dim must be divisible by num_heads"
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x: Tensor, mask: Optional[Tensor] = None) -> Tensor:
        b, s, e = x.shape
        parts = [
            layer(x).reshape(b, s, self.num_heads, self.head_dim).transpose(1, 2)
            for layer in (self.q_proj, self.k_proj, self.v_proj)
        ]
        shared = None
        if mask is not None:
            shared = Tensor(mask.data[None] if mask.data.ndim == 3 and mask.shape[0] == self.num_heads else mask.data[:, None] if mask.data.ndim == 3 else mask.data[None, None])
        context = scaled_dot_product_attention(*parts, shared)[0]
        return self.out_proj(context.transpose(1, 2).reshape(b, s, e))
