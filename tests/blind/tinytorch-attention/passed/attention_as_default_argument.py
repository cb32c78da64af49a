"""The layer takes its attention as a further argument of forward, with your own function as the default."""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    scale = Q.shape[-1] ** 0.5
    energy = Q.matmul(K.transpose(-2, -1)) / scale
    if mask is not None:
        energy = energy + Tensor(np.log(np.clip(mask.data, 1e-300, 1.0).astype(np.float64)) * 1e7)
    weights = Softmax().forward(energy, dim=-1)
    return weights.matmul(V), weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads != 0:
            raise ValueError(f"{embed_dim} % {num_heads} != 0")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None, attention=scaled_dot_product_attention):
        B, T, C = x.shape
        heads = []
        for projection in (self.q_proj, self.k_proj, self.v_proj):
            heads.append(projection(x).reshape(B, T, self.num_heads, self.head_dim).transpose(1, 2))
        if mask is not None:
            while mask.ndim < 3:
                mask = mask[None]
            mask = mask.reshape(mask.shape[0], 1, T, T)
        y, _ = attention(*heads, mask)
        return self.out_proj(y.transpose(1, 2).reshape(B, T, C))

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self):
        return self.q_proj.parameters() + self.k_proj.parameters() + self.v_proj.parameters() + self.out_proj.parameters()
