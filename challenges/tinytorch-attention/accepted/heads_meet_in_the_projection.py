"""Nothing is merged: each head meets its own rows of the output weight, and the results are added up."""

import math

from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    root = math.sqrt(math.sqrt(Q.shape[-1]))
    scores = (Q / root) @ (K / root).transpose(-2, -1)
    if mask is not None:
        scores = scores - (1.0 - mask) * 1e9
    weights = Softmax()(scores)
    return weights @ V, weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads:
            raise ValueError("embed_dim must be a multiple of num_heads")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def per_head(self, x, layer):
        """(batch, 1, seq, embed_dim) @ (heads, embed_dim, head_dim): every head has columns of its own."""
        weight = layer.weight.reshape(self.embed_dim, self.num_heads, self.head_dim).transpose(0, 1)
        return x @ weight + layer.bias.reshape(self.num_heads, 1, self.head_dim)

    def forward(self, x, mask=None):
        batch, seq, width = x.shape
        x = x.reshape(batch, 1, seq, width)
        Q, K, V = (self.per_head(x, layer) for layer in (self.q_proj, self.k_proj, self.v_proj))
        if mask is not None and len(mask.shape) > 2:
            mask = mask.reshape(-1, 1, seq, seq)
        attended, _ = scaled_dot_product_attention(Q, K, V, mask)
        rows = self.out_proj.weight.reshape(self.num_heads, self.head_dim, self.embed_dim)
        return (attended @ rows).sum(axis=1) + self.out_proj.bias

    def parameters(self):
        layers = [self.q_proj, self.k_proj, self.v_proj, self.out_proj]
        return [layer.weight for layer in layers] + [layer.bias for layer in layers]
