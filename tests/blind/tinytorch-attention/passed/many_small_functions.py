"""Nothing longer than three lines."""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def similarity(queries, keys):
    return queries @ keys.transpose() / Tensor(np.sqrt(queries.shape[-1]))


def hide(scores, mask):
    return scores if mask is None else scores - Tensor(1e9 * (1.0 - mask.data))


def normalise(scores):
    return Softmax()(scores, dim=-1)


def scaled_dot_product_attention(Q, K, V, mask=None):
    weights = normalise(hide(similarity(Q, K), mask))
    return weights @ V, weights


def split(x, heads):
    return x.reshape(x.shape[0], x.shape[1], heads, x.shape[2] // heads).transpose(1, 2)


def merge(x):
    back = x.transpose(1, 2)
    return back.reshape(back.shape[0], back.shape[1], back.shape[2] * back.shape[3])


def for_all_heads(mask):
    if mask is None or mask.ndim < 3:
        return mask
    return Tensor(np.expand_dims(mask.data, 1))


def pair(layer):
    return [layer.weight, layer.bias]


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads != 0:
            raise ValueError(f"cannot split {embed_dim} features among {num_heads} heads")
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = [Linear(embed_dim, embed_dim) for _ in "qkvo"]

    def project(self, x):
        return [split(layer(x), self.num_heads) for layer in (self.q_proj, self.k_proj, self.v_proj)]

    def forward(self, x, mask=None):
        output, _ = scaled_dot_product_attention(*self.project(x), for_all_heads(mask))
        return self.out_proj(merge(output))

    def parameters(self):
        return pair(self.q_proj) + pair(self.k_proj) + pair(self.v_proj) + pair(self.out_proj)
