"""Wrong: the weights are transposed as PyTorch stores them, but tinytorch stores (in, out)."""
import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def affine(x, layer):
    return x @ layer.weight.transpose() + layer.bias


def to_heads(t, n):
    return t.reshape(t.shape[0], t.shape[1], n, -1).transpose(-3, -2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scaled = Q / Q.shape[-1] ** 0.5
    scores = scaled @ K.transpose(-1, -2)
    if mask is not None:
        # exactly the score where visible, exactly minus a billion where not
        m = mask.data.astype(scores.dtype)
        scores = scores * m + (m - 1.0) * 1e9
    weights = Softmax()(scores, -1)
    return weights @ V, weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads:
            raise AssertionError("embed_dim % num_heads != 0")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj, self.k_proj = Linear(embed_dim, embed_dim), Linear(embed_dim, embed_dim)
        self.v_proj, self.out_proj = Linear(embed_dim, embed_dim), Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        q, k, v = (to_heads(affine(x, layer), self.num_heads) for layer in (self.q_proj, self.k_proj, self.v_proj))
        if mask is not None:
            mask = Tensor(mask.data.reshape((-1, 1) + mask.shape[-2:]))
        out, _ = scaled_dot_product_attention(q, k, v, mask)
        merged = out.transpose(-3, -2).reshape(x.shape)
        return affine(merged, self.out_proj)

    def parameters(self):
        """Flat list, layer by layer."""
        return [getattr(layer, kind) for layer in (self.q_proj, self.k_proj, self.v_proj, self.out_proj) for kind in ("weight", "bias")]
