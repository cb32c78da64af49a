"""The projections use the weights only: the biases are left out."""
import math

from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    d = Q.shape[-1]
    scores = Q.matmul(K.transpose()) / math.sqrt(d)
    if mask is not None:
        scores = scores + (1.0 - mask) * -1e9
    weights = Softmax()(scores, dim=-1)
    return weights.matmul(V), weights


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
        q = self._split(x @ self.q_proj.weight)
        k = self._split(x @ self.k_proj.weight)
        v = self._split(x @ self.v_proj.weight)
        if mask is not None and len(mask.shape) > 2:
            mask = mask[:, None]
        out, self.last_weights = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(self._merge(out))

    def parameters(self):
        return [
            *self.q_proj.parameters(),
            *self.k_proj.parameters(),
            *self.v_proj.parameters(),
            *self.out_proj.parameters(),
        ]
