"""Attention over tinytorch with one mask for all sequences.

Idea: The mask of the first sequence is used for all of them.
Where: only in the layer when the sequences of a batch have different masks
"""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = (Q @ K.transpose(-2, -1)) * (1.0 / np.sqrt(Q.shape[-1]))
    if mask is not None:
        scores = scores + Tensor(np.where(mask.data == 1.0, 0.0, -1e9).astype(scores.dtype))
    weights = Softmax()(scores, -1)
    return weights @ V, weights


def _beside(tensors, axis_size):
    """Put (e, e) or (e,) tensors side by side, by products with pieces of the identity, so that gradients pass."""
    n = len(tensors)
    eye = np.eye(n * axis_size, dtype=np.float32)
    total = None
    for i, t in enumerate(tensors):
        rows = t if t.ndim == 2 else t.reshape(1, axis_size)
        piece = rows @ Tensor(eye[i * axis_size : (i + 1) * axis_size])
        total = piece if total is None else total + piece
    return total


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads != 0:
            raise ValueError("heads do not fit")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        b, t, e = x.shape
        layers = (self.q_proj, self.k_proj, self.v_proj)
        weight = _beside([l.weight for l in layers], e)
        bias = _beside([l.bias for l in layers], e)
        qkv = (x @ weight + bias).reshape(b, t, 3, self.num_heads, self.head_dim)
        q, k, v = (qkv[:, :, i].transpose(1, 2) for i in range(3))
        if mask is not None:
            mask = Tensor(mask.data.reshape(-1, t, t)[0].reshape(1, 1, t, t))
        y, _ = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(y.transpose(1, 2).reshape(b, t, e))

    def parameters(self):
        return [p for l in (self.q_proj, self.k_proj, self.v_proj, self.out_proj) for p in l.parameters()]
