"""Works with transposed matrices: scores are keys by queries, and the softmax is taken over the last axis after transposing back."""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    columns = K @ Q.transpose()
    scores = (columns / np.sqrt(Q.shape[-1]).item()).transpose()
    if mask is not None:
        allowed = np.asarray(mask.data, dtype=bool)
        lowest = np.zeros(allowed.shape)
        lowest[~allowed] = -1e9
        scores = scores + Tensor(lowest)
    weights = Softmax()(scores)
    return (V.transpose() @ weights.transpose()).transpose(), weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads:
            raise ValueError("num_heads must divide embed_dim")
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (Linear(embed_dim, embed_dim) for _ in range(4))

    def forward(self, x, mask=None):
        b, s, e = x.shape

        def heads(layer):
            columns = layer(x).transpose()
            return columns.reshape(b, self.num_heads, self.head_dim, s).transpose()

        if mask is not None:
            mask = Tensor(np.broadcast_to(mask.data, (b, s, s)).reshape(b, 1, s, s))
        y, _ = scaled_dot_product_attention(heads(self.q_proj), heads(self.k_proj), heads(self.v_proj), mask)
        return self.out_proj(y.transpose().reshape(b, e, s).transpose())

    def parameters(self):
        layers = (self.q_proj, self.k_proj, self.v_proj, self.out_proj)
        return [tensor for layer in layers for tensor in (layer.weight, layer.bias)]
