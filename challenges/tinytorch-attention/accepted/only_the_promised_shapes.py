"""Exactly what the text promises: masks of (batch, seq, seq) in the layer, and nothing else."""

import math

from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q.matmul(K.transpose(-2, -1)) * (1.0 / math.sqrt(Q.shape[-1]))
    if mask is not None:
        scores = scores + Tensor((1.0 - mask.data) * -1e9)
    attention_weights = Softmax()(scores, dim=-1)
    return attention_weights.matmul(V), attention_weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads != 0:
            raise ValueError(f"embed_dim ({embed_dim}) and num_heads ({num_heads}) do not go together")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        batch, seq, _ = x.shape
        Q, K, V = self.q_proj.forward(x), self.k_proj.forward(x), self.v_proj.forward(x)
        Q = Q.reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)
        K = K.reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)
        V = V.reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)
        if mask is not None:
            mask = mask.reshape(batch, 1, seq, seq)
        attended, _ = scaled_dot_product_attention(Q, K, V, mask=mask)
        attended = attended.transpose(1, 2).reshape(batch, seq, self.embed_dim)
        return self.out_proj.forward(attended)

    def parameters(self):
        params = []
        for layer in [self.q_proj, self.k_proj, self.v_proj, self.out_proj]:
            params.extend(layer.parameters())
        return params
