"""Decorators check shapes and turn any mask into a bias; top-level asserts try the example of the specification."""

import functools

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def with_bias(function):
    """Replace the mask by an array that is added to the scores."""

    @functools.wraps(function)
    def wrapper(Q, K, V, mask=None):
        bias = np.zeros(1) if mask is None else np.where(mask.data == 1.0, 0.0, -1e9)
        return function(Q, K, V, bias)

    return wrapper


def keeps_shape(method):
    @functools.wraps(method)
    def wrapper(self, x, mask=None):
        result = method(self, x, mask)
        assert result.shape == x.shape, "the layer must keep the shape"
        return result

    return wrapper


@with_bias
def scaled_dot_product_attention(Q, K, V, mask=None):
    weights = Softmax()(Q @ K.transpose() / float(Q.shape[-1]) ** 0.5 + Tensor(mask))
    return weights @ V, weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads:
            raise ValueError("num_heads must divide embed_dim")
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (Linear(embed_dim, embed_dim) for _ in range(4))

    @keeps_shape
    def forward(self, x, mask=None):
        batch, seq, width = x.shape
        q, k, v = (
            project(x).reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)
            for project in (self.q_proj, self.k_proj, self.v_proj)
        )
        if mask is not None:
            mask = Tensor(np.moveaxis(np.broadcast_to(mask.data, (1, batch, seq, seq)), 0, 1))
        return self.out_proj(scaled_dot_product_attention(q, k, v, mask)[0].transpose(1, 2).reshape(batch, seq, width))

    def parameters(self):
        layers = (self.q_proj, self.k_proj, self.v_proj, self.out_proj)
        return [tensor for layer in layers for tensor in (layer.weight, layer.bias)]


_two = Tensor([[[1.0, 0.0], [0.0, 1.0]]])
assert np.allclose(scaled_dot_product_attention(_two, _two, _two)[1].data[0, 0], [0.6698, 0.3302], atol=1e-3)
