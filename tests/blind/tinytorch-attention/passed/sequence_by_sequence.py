"""The layer attends in one sequence after the other, in all heads at once; the spec calls this no loop over heads."""
from functools import partial

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None, *, softmax=Softmax(), hidden=-1e9):
    scores = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5
    if mask is not None:
        keep = Tensor(mask.data)
        scores = scores * keep + (1.0 - keep) * hidden
    weights = softmax(scores, -1)
    return weights @ V, weights


_attend = partial(scaled_dot_product_attention, hidden=-1e12)


def _concatenate(tensors):
    joined = Tensor(np.concatenate([t.data for t in tensors]))
    joined.sources = tuple((t, lambda g, i=i: g[i : i + 1]) for i, t in enumerate(tensors) if t.requires_grad)
    joined.requires_grad = any(t.requires_grad for t in tensors)
    return joined


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads:
            raise ValueError("embed_dim must be a multiple of num_heads")
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def _one(self, x, mask):
        seq = x.shape[1]
        q, k, v = (
            p(x).reshape(1, seq, self.num_heads, self.head_dim).transpose(1, 2) for p in (self.q_proj, self.k_proj, self.v_proj)
        )
        y, _ = _attend(q, k, v, mask)
        return self.out_proj(y.transpose(1, 2).reshape(1, seq, self.embed_dim))

    def forward(self, x, mask=None):
        batch, seq, _ = x.shape
        masks = [None] * batch if mask is None else [Tensor(m) for m in np.broadcast_to(mask.data, (batch, seq, seq))]
        return _concatenate([self._one(x[i : i + 1], m) for i, m in enumerate(masks)])

    def parameters(self):
        return [p for projection in (self.q_proj, self.k_proj, self.v_proj, self.out_proj) for p in projection.parameters()]
