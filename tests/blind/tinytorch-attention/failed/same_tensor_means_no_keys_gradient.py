"""Wrong: in the backward of self-attention the keys are constants if they are the same Tensor as the queries."""
import numpy as np
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def _axis(t, position):
    shape = list(t.shape)
    shape.insert(position % (t.ndim + 1), 1)
    return t.reshape(shape)


def scaled_dot_product_attention(Q, K, V, mask=None):
    if K is Q:
        K = Tensor(K.data)
    products = _axis(Q, -2) * _axis(K, -3)  # (..., queries, keys, d)
    scores = products.sum(axis=-1) / Q.shape[-1] ** 0.5
    if mask is not None:
        visible = np.broadcast_to(mask.data, scores.shape).astype(scores.dtype)
    else:
        visible = np.ones(scores.shape, scores.dtype)
    top = np.where(visible > 0, scores.data, -np.inf).max(axis=-1, keepdims=True)
    # hidden scores are lowered far below the top before exp, so they can neither overflow nor count
    lowered = scores - Tensor(top) + Tensor(np.where(visible > 0, 0, -1e9).astype(scores.dtype))
    powers = lowered.exp()
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return (_axis(weights, -1) * _axis(V, -3)).sum(axis=-2), weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads != 0:
            raise ValueError("num_heads must divide embed_dim")
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        b, s, e = x.shape
        shape = (b, s, self.num_heads, self.head_dim)
        q = self.q_proj(x).reshape(shape).transpose(1, 2)
        k = self.k_proj(x).reshape(shape).transpose(1, 2)
        v = self.v_proj(x).reshape(shape).transpose(1, 2)
        if mask is not None:
            mask = Tensor(np.broadcast_to(mask.data, (b, s, s))[:, None, :, :])
        out, _ = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(out.transpose(1, 2).reshape(b, s, e))

    def parameters(self):
        return [*self.q_proj.parameters(), *self.k_proj.parameters(), *self.v_proj.parameters(), *self.out_proj.parameters()]
