"""The layer as a dataclass that makes its projections after its sizes are checked."""

from dataclasses import dataclass, field

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    weights = Q @ K.transpose() / np.sqrt(np.float32(Q.shape[-1]))
    if mask is not None:
        weights = weights + Tensor(np.where(mask.data.astype(bool), 0.0, -np.inf).astype(np.float32))
    weights = Softmax()(weights)
    return weights @ V, weights


@dataclass(eq=False)
class MultiHeadAttention:
    embed_dim: int
    num_heads: int
    head_dim: int = field(init=False)

    def __post_init__(self):
        if self.embed_dim % self.num_heads:
            raise ValueError("num_heads does not divide embed_dim")
        self.head_dim = self.embed_dim // self.num_heads
        self.q_proj = Linear(self.embed_dim, self.embed_dim)
        self.k_proj = Linear(self.embed_dim, self.embed_dim)
        self.v_proj = Linear(self.embed_dim, self.embed_dim)
        self.out_proj = Linear(self.embed_dim, self.embed_dim)

    @property
    def projections(self):
        return self.q_proj, self.k_proj, self.v_proj, self.out_proj

    def forward(self, x, mask=None):
        *lead, seq, _ = x.shape
        q, k, v = (
            p(x).reshape(*lead, seq, self.num_heads, self.head_dim).transpose(-2, -3) for p in self.projections[:3]
        )
        out, _ = scaled_dot_product_attention(q, k, v, mask and mask.reshape(*mask.shape[:-2], 1, seq, seq))
        return self.out_proj(out.transpose(-2, -3).reshape(*lead, seq, self.embed_dim))

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self):
        return [tensor for p in self.projections for tensor in p.parameters()]
