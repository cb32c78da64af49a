"""A small class holds the softmax; the layer keeps a partial of the attention function."""

from functools import partial

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


class Weights:
    def __init__(self, floor=-1e9):
        self.floor = floor
        self.softmax = Softmax()

    def __call__(self, scores, mask):
        if mask is None:
            return self.softmax(scores, dim=-1)
        hidden = np.logical_not(mask.data.astype(bool))
        return self.softmax(scores + Tensor(hidden * self.floor), dim=-1)


WEIGHTS = Weights()


def scaled_dot_product_attention(Q, K, V, mask=None, weigh=WEIGHTS):
    weights = weigh(Q @ K.transpose() / np.sqrt(Q.shape[-1]), mask)
    return weights @ V, weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        heads, rest = divmod(embed_dim, num_heads)
        if rest:
            raise ValueError(f"{embed_dim} = {heads} * {num_heads} + {rest}")
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, heads
        make = partial(Linear, embed_dim, embed_dim)
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = make(), make(), make(), make()
        self.attend = partial(scaled_dot_product_attention, weigh=Weights())

    def forward(self, x, mask=None):
        b, s, e = x.shape
        shape = (b, s, self.num_heads, self.head_dim)
        q, k, v = [p(x).reshape(*shape).transpose(1, 2) for p in (self.q_proj, self.k_proj, self.v_proj)]
        if mask is not None:
            mask = Tensor(np.broadcast_to(mask.data, (b, s, s))[:, None])
        output, _ = self.attend(q, k, v, mask)
        return self.out_proj(output.transpose(1, 2).reshape(b, s, e))

    def parameters(self):
        everything = []
        for p in (self.q_proj, self.k_proj, self.v_proj, self.out_proj):
            everything.extend((p.weight, p.bias))
        return everything
