"""A right answer of the seventh corpus."""
import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def softmax(scores):
    shifted = scores - Tensor(scores.data.max(axis=-1, keepdims=True))
    e = shifted.exp()
    return e / e.sum(axis=-1, keepdims=True)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q.matmul(K.transpose(-1, -2)) / (Q.shape[-1] ** 0.5)
    if mask is not None:
        hidden = np.asarray(mask.data) < 0.5
        scores = scores - Tensor(1e9 * hidden.astype(scores.data.dtype))
    weights = softmax(scores)
    return weights.matmul(V), weights


class MultiHeadAttention:
    def __init__(self, embed_dim: int, num_heads: int):
        self.head_dim, left_over = divmod(embed_dim, num_heads)
        if left_over:
            raise ValueError(f"{embed_dim} features cannot be shared by {num_heads} heads")
        self.embed_dim, self.num_heads = embed_dim, num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def _fold(self, y):
        b, s, _ = y.shape
        y = y.reshape(b, s, self.num_heads, self.head_dim).transpose(1, 2)
        return y.reshape(b * self.num_heads, s, self.head_dim)

    def forward(self, x, mask=None):
        b, s, e = x.shape
        if mask is not None:
            full = np.broadcast_to(mask.data, (b, s, s))
            mask = Tensor(np.repeat(full, self.num_heads, axis=0))
        z, _ = scaled_dot_product_attention(
            self._fold(self.q_proj(x)), self._fold(self.k_proj(x)), self._fold(self.v_proj(x)), mask
        )
        z = z.reshape(b, self.num_heads, s, self.head_dim).transpose(1, 2).reshape(b, s, e)
        return self.out_proj(z)

    def parameters(self):
        layers = [self.q_proj, self.k_proj, self.v_proj, self.out_proj]
        return [p for layer in layers for p in (layer.weight, layer.bias)]
