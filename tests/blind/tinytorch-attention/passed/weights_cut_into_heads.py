"""Cuts the weight matrices into heads rather than the projected features: one batch of products projects and splits."""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    logits = Q @ K.transpose() / np.sqrt(Q.shape[-1])
    if mask is not None:
        logits = logits + Tensor(np.where(mask.data > 0, 0.0, -1e9))
    weights = Softmax()(logits)
    return weights @ V, weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads != 0:
            raise ValueError("embed_dim % num_heads must be 0")
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def _project(self, x, linear):
        # weight (e, h*hd) -> (h, e, hd);  x (b, 1, s, e) @ (h, e, hd) -> (b, h, s, hd)
        weight = linear.weight.reshape(self.embed_dim, self.num_heads, self.head_dim).transpose(0, 1)
        bias = linear.bias.reshape(self.num_heads, 1, self.head_dim)
        return x @ weight + bias

    def forward(self, x, mask=None):
        b, s, e = x.shape
        x = x.reshape(b, 1, s, e)
        if mask is not None and mask.ndim == 3:
            mask = mask.reshape(-1, 1, s, s)
        out, _ = scaled_dot_product_attention(
            self._project(x, self.q_proj), self._project(x, self.k_proj), self._project(x, self.v_proj), mask
        )
        return self.out_proj(out.transpose(1, 2).reshape(b, s, e))

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self):
        return [t for p in [self.q_proj, self.k_proj, self.v_proj, self.out_proj] for t in [p.weight, p.bias]]
