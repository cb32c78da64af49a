"""Multiplies x by one weight, put together from those of the three projections with selection matrices."""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose() / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores + Tensor((mask.data == 0) * -1e9)
    weights = Softmax()(scores, dim=-1)
    return weights @ V, weights


def place(width, slot):
    """(width, 3 * width): moves features to the slot-th third."""
    selection = np.zeros((width, 3 * width))
    selection[:, slot * width : (slot + 1) * width] = np.eye(width)
    return Tensor(selection)


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        assert embed_dim % num_heads == 0, (embed_dim, num_heads)
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def fused(self, x):
        e = self.embed_dim
        layers = (self.q_proj, self.k_proj, self.v_proj)
        weight = sum((layer.weight @ place(e, i) for i, layer in enumerate(layers[1:], 1)), layers[0].weight @ place(e, 0))
        bias = sum(
            (layer.bias.reshape(1, e) @ place(e, i) for i, layer in enumerate(layers[1:], 1)),
            layers[0].bias.reshape(1, e) @ place(e, 0),
        )
        return x @ weight + bias

    def forward(self, x, mask=None):
        b, s, e = x.shape
        y = self.fused(x)
        q, k, v = (
            y[:, :, i * e : (i + 1) * e].reshape(b, s, self.num_heads, self.head_dim).transpose(1, 2) for i in range(3)
        )
        if mask is not None and mask.ndim == 3:
            mask = Tensor(mask.data[:, None])
        out, _ = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(out.transpose(1, 2).reshape(b, s, e))

    def parameters(self):
        return [p for layer in (self.q_proj, self.k_proj, self.v_proj, self.out_proj) for p in (layer.weight, layer.bias)]
