"""The function returns the output without the attention weights."""
import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q.matmul(K.transpose()) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores + Tensor(np.where(mask.data > 0, 0.0, -1e9).astype(np.float32))
    weights = Softmax()(scores, dim=-1)
    return weights.matmul(V)


class MultiHeadAttention:
    """Attention in several heads at once."""

    def __init__(self, embed_dim, num_heads):
        assert embed_dim % num_heads == 0, "num_heads must divide embed_dim"
        self.embed_dim, self.num_heads = embed_dim, num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (Linear(embed_dim, embed_dim) for _ in range(4))

    def _split(self, t):
        return t.reshape(t.shape[0], t.shape[1], self.num_heads, self.head_dim).transpose(1, 2)

    def _merge(self, t):
        t = t.transpose(1, 2)
        return t.reshape(t.shape[0], t.shape[1], self.embed_dim)

    def forward(self, x, mask=None):
        q, k, v = self._split(self.q_proj(x)), self._split(self.k_proj(x)), self._split(self.v_proj(x))
        if mask is not None and len(mask.shape) > 2:
            mask = mask[:, None]
        out = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(self._merge(out))

    def parameters(self):
        return [
            *self.q_proj.parameters(),
            *self.k_proj.parameters(),
            *self.v_proj.parameters(),
            *self.out_proj.parameters(),
        ]
