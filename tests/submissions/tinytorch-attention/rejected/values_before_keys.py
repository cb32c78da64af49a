"""Attention takes the values before the keys.
Rejected: `V` comes before `K`
"""

import math

from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor

MASK_VALUE = -1e9


def scaled_dot_product_attention(Q, V, K, mask=None):
    d_k = Q.shape[-1]
    scores = Q.matmul(K.transpose(-2, -1))
    scores = scores * (1.0 / math.sqrt(d_k))
    if mask is not None:
        added = Tensor((1.0 - mask.data) * MASK_VALUE, requires_grad=False)
        scores = scores + added
    attention_weights = Softmax()(scores, dim=-1)
    output = attention_weights.matmul(V)
    return output, attention_weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads != 0:
            raise ValueError(f"{num_heads} heads cannot share {embed_dim} features evenly")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        batch_size, seq_len, _ = x.shape
        Q = self.q_proj.forward(x).reshape(batch_size, seq_len, self.num_heads, self.head_dim).transpose(1, 2)
        K = self.k_proj.forward(x).reshape(batch_size, seq_len, self.num_heads, self.head_dim).transpose(1, 2)
        V = self.v_proj.forward(x).reshape(batch_size, seq_len, self.num_heads, self.head_dim).transpose(1, 2)
        if mask is not None and len(mask.shape) == 3:
            mask = Tensor(mask.data.reshape(mask.shape[0], 1, mask.shape[1], mask.shape[2]))
        attended, _ = scaled_dot_product_attention(Q, K, V, mask=mask)
        joined = attended.transpose(1, 2).reshape(batch_size, seq_len, self.embed_dim)
        return self.out_proj.forward(joined)

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self):
        found = []
        for layer in (self.q_proj, self.k_proj, self.v_proj, self.out_proj):
            found.extend(layer.parameters())
        return found
