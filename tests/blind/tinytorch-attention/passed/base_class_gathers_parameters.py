"""A base class finds the parameters of whatever Linear layers its children hold."""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


class Module:
    def parameters(self):
        found = []
        for child in vars(self).values():
            if hasattr(child, "parameters"):
                found.extend(child.parameters())
        return found

    def __call__(self, *args, **kwargs):
        return self.forward(*args, **kwargs)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose() / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores += (mask - 1) * 1e9
    weights = Softmax()(scores)
    return weights @ V, weights


class MultiHeadAttention(Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        if embed_dim % num_heads:
            raise ValueError(f"num_heads={num_heads} must divide embed_dim={embed_dim}")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)
        self.softmax = Softmax()  # has parameters(), all none of them

    def forward(self, x, mask=None):
        B, S, E = x.shape

        def heads(t):
            return t.reshape(B, S, self.num_heads, self.head_dim).transpose(1, 2)

        if mask is not None and mask.ndim == 3:
            mask = Tensor(mask.data[:, None, :, :])
        y, _ = scaled_dot_product_attention(heads(self.q_proj(x)), heads(self.k_proj(x)), heads(self.v_proj(x)), mask)
        return self.out_proj(y.transpose(1, 2).reshape(B, S, E))
