"""Heads get their axis, are folded into the batch for the attention over three axes, and are unfolded again."""
import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(query, key, value, mask=None):
    scores = query.matmul(key.transpose(1, 2)) * (1.0 / np.sqrt(float(query.shape[2])))
    if mask is not None:
        hidden = np.broadcast_to(mask.data, scores.shape) == 0
        penalty = np.zeros(scores.shape, dtype=scores.data.dtype)
        penalty[hidden] = -1e9
        scores = scores + Tensor(penalty)
    attention = Softmax().forward(scores, dim=2)
    return attention.matmul(value), attention


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        assert embed_dim % num_heads == 0, "embed_dim must be divisible by num_heads"
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (Linear(embed_dim, embed_dim) for _ in range(4))

    def _fold(self, t):
        b, s, _ = t.shape
        by_head = t.reshape(b, s, self.num_heads, self.head_dim).transpose(1, 2)
        return by_head.reshape(b * self.num_heads, s, self.head_dim)

    def forward(self, x, mask=None):
        b, s, e = x.shape
        if mask is not None:
            full = np.broadcast_to(mask.data, (b, s, s))
            mask = Tensor(np.repeat(full, self.num_heads, axis=0))
        q, k, v = self._fold(self.q_proj(x)), self._fold(self.k_proj(x)), self._fold(self.v_proj(x))
        out, _ = scaled_dot_product_attention(q, k, v, mask)
        out = out.reshape(b, self.num_heads, s, self.head_dim).transpose(1, 2).reshape(b, s, e)
        return self.out_proj.forward(out)

    __call__ = forward

    def parameters(self):
        return self.q_proj.parameters() + self.k_proj.parameters() + self.v_proj.parameters() + self.out_proj.parameters()
