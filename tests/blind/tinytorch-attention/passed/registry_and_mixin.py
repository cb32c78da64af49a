"""Right: a base class Module with __setattr__ that collects layers, as in PyTorch, and a mixin for the heads."""
from collections import OrderedDict
from functools import partial

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor

softmax = partial(Softmax().forward, dim=-1)


class Module:
    def __init__(self):
        object.__setattr__(self, "_layers", OrderedDict())

    def __setattr__(self, name, value):
        if isinstance(value, (Linear, Module)):
            self._layers[name] = value
        object.__setattr__(self, name, value)

    def __call__(self, *args, **kwargs):
        return self.forward(*args, **kwargs)

    def parameters(self):
        return [p for layer in self._layers.values() for p in layer.parameters()]


class SplitsHeads:
    num_heads: int
    head_dim: int

    def split(self, t):
        return t.reshape(*t.shape[:-1], self.num_heads, self.head_dim).transpose(-3, -2)

    def merge(self, t):
        t = t.transpose(-3, -2)
        return t.reshape(*t.shape[:-2], self.num_heads * self.head_dim)


def hide(scores, mask):
    """Adds -1e9 where mask is 0."""
    return scores if mask is None else scores + Tensor(np.where(mask.data != 0, 0.0, -1e9).astype(scores.data.dtype))


def scaled_dot_product_attention(Q, K, V, mask=None):
    weights = softmax(hide(Q @ K.transpose() / Q.shape[-1] ** 0.5, mask))
    return weights @ V, weights


class MultiHeadAttention(SplitsHeads, Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        if embed_dim % num_heads:
            raise ValueError(f"num_heads={num_heads} is not a divisor of embed_dim={embed_dim}")
        self.embed_dim, self.num_heads = embed_dim, num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None, attend=scaled_dot_product_attention):
        if mask is not None:
            mask = Tensor(mask.data[..., None, :, :])
        heads = [self.split(layer(x)) for layer in (self.q_proj, self.k_proj, self.v_proj)]
        context, _ = attend(*heads, mask=mask)
        return self.out_proj(self.merge(context))
