"""Folds heads into the batch but tiles the mask, so that masks and sequences get out of step."""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    assert Q.ndim == 3
    scores = Q @ K.transpose(1, 2)
    scores = scores / float(np.sqrt(Q.shape[2]))
    if mask is not None:
        scores = scores + np.where(mask.data > 0, 0.0, -1e9)
    weights = Softmax()(scores, dim=-1)
    output = weights @ V
    return output, weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        assert embed_dim % num_heads == 0
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def fold(self, y, batch, seq):
        y = y.reshape(batch, seq, self.num_heads, self.head_dim)
        y = y.transpose(1, 2)
        return y.reshape(batch * self.num_heads, seq, self.head_dim)

    def forward(self, x, mask=None):
        batch, seq = x.shape[0], x.shape[1]
        q = self.fold(self.q_proj(x), batch, seq)
        k = self.fold(self.k_proj(x), batch, seq)
        v = self.fold(self.v_proj(x), batch, seq)
        if mask is not None:
            full = np.broadcast_to(mask.data, (batch, seq, seq))
            mask = Tensor(np.tile(full, (self.num_heads, 1, 1)))
        out, _ = scaled_dot_product_attention(q, k, v, mask)
        out = out.reshape(batch, self.num_heads, seq, self.head_dim).transpose(1, 2)
        return self.out_proj(out.reshape(batch, seq, self.embed_dim))

    def parameters(self):
        return [t for p in [self.q_proj, self.k_proj, self.v_proj, self.out_proj] for t in [p.weight, p.bias]]
