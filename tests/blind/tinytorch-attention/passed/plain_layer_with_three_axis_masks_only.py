"""Takes the masks that are promised, three axes with the whole batch, and no others."""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    queries, keys, values = Q, K, V
    similarity = queries.matmul(keys.transpose())
    similarity = similarity * Tensor(1.0 / np.sqrt(queries.shape[-1]))
    if mask is not None:
        similarity = similarity + Tensor(-1e9) * (Tensor(1.0) - mask)
    softmax = Softmax()
    attention_weights = softmax.forward(similarity, dim=similarity.ndim - 1)
    return attention_weights.matmul(values), attention_weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        remainder = embed_dim - num_heads * (embed_dim // num_heads)
        if remainder != 0:
            raise ValueError(f"{remainder} features would belong to no head")
        self.num_heads = num_heads
        self.embed_dim = embed_dim
        self.head_dim = embed_dim // num_heads
        self.out_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.q_proj = Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        batch, seq = x.shape[:2]
        if mask is not None:
            if mask.shape != (batch, seq, seq):
                raise ValueError(f"the mask should be {(batch, seq, seq)}, not {mask.shape}")
            mask = mask.reshape(batch, 1, seq, seq)
        values = self._heads(self.v_proj(x))
        keys = self._heads(self.k_proj(x))
        queries = self._heads(self.q_proj(x))
        averaged, _ = scaled_dot_product_attention(queries, keys, values, mask)
        side_by_side = averaged.transpose(1, 2).reshape(batch, seq, self.embed_dim)
        return self.out_proj(side_by_side)

    def _heads(self, t):
        batch, seq, _ = t.shape
        return t.reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self):
        return self.q_proj.parameters() + self.k_proj.parameters() + self.v_proj.parameters() + self.out_proj.parameters()
