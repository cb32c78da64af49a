"""The powers are multiplied by the mask, and divided by their sum.
"""

from tinytorch.core.tensor import Tensor
from tinytorch.core.layers import Linear
from tinytorch.core.activations import Softmax
import numpy as np


def scaled_dot_product_attention(Q, K, V, mask=None):
    """(batch..., seq, d). Softmax by hand, exp(scores) * mask, so hidden really is zero."""
    scores = Q @ K.transpose() * (1.0 / np.sqrt(Q.shape[-1]))
    keep = np.ones(scores.shape[-2:]) if mask is None else mask.data
    keep = keep.astype(scores.data.dtype)
    top = np.where(np.broadcast_to(keep, scores.shape) > 0, scores.data, -np.inf).max(axis=-1, keepdims=True)
    shifted = scores - Tensor(top)
    shifted = shifted * Tensor(keep)           # hidden ones must not overflow
    powers = shifted.exp() * Tensor(keep)
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return weights @ V, weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        assert embed_dim % num_heads == 0, "embed_dim must be divisible by num_heads"
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj, self.k_proj = Linear(embed_dim, embed_dim), Linear(embed_dim, embed_dim)
        self.v_proj, self.out_proj = Linear(embed_dim, embed_dim), Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        batch, seq, width = x.shape

        def split(features):
            return features.reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)

        if mask is not None:
            mask = mask.reshape(-1, 1, seq, seq)
        mixed, _ = scaled_dot_product_attention(split(self.q_proj(x)), split(self.k_proj(x)), split(self.v_proj(x)), mask)
        return self.out_proj(mixed.transpose(1, 2).reshape(batch, seq, width))

    def parameters(self):
        layers = self.q_proj, self.k_proj, self.v_proj, self.out_proj
        return [part for layer in layers for part in layer.parameters()]
