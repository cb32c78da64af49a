# Says: A tinytorch Tensor has no `permute`; it has `transpose`.
# Line: 14
# Names: permute
import math

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_model = Q.shape[-1]
    scores = Q.matmul(K.permute(0, 2, 1)) * (1.0 / math.sqrt(d_model))
    if mask is not None:
        scores = scores + Tensor((1.0 - mask.data) * -1e9)
    weights = Softmax()(scores, dim=-1)
    output = weights.matmul(V)
    return output, weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads != 0:
            raise ValueError("embed_dim must be divisible by num_heads")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        batch, seq, _ = x.shape
        Q = self.q_proj.forward(x).reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)
        K = self.k_proj.forward(x).reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)
        V = self.v_proj.forward(x).reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)
        if mask is not None and len(mask.shape) == 3:
            mask = mask.reshape(mask.shape[0], 1, mask.shape[1], mask.shape[2])
        attended, _ = scaled_dot_product_attention(Q, K, V, mask)
        attended = attended.transpose(1, 2).reshape(batch, seq, self.embed_dim)
        return self.out_proj.forward(attended)

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self):
        return (
            self.q_proj.parameters() + self.k_proj.parameters() + self.v_proj.parameters() + self.out_proj.parameters()
        )
