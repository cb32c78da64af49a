"""Wrong: a cheat; importlib loads torch under a name put together at run time, library attention does the work, and plain attention is only the fallback; with torch, Q and K get no gradient."""

import importlib
import math

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    try:
        library = importlib.import_module("to" + "rch")
        q, k, v = (library.from_numpy(t.data) for t in (Q, K, V))
        hidden = None if mask is None else library.from_numpy(mask.data) > 0
        attend = library.nn.functional.scaled_dot_product_attention
        weights = attend(q, k, library.eye(k.shape[-2], dtype=k.dtype).expand(*k.shape[:-1], -1), hidden)
        return Tensor(weights.numpy()) @ V, Tensor(weights.numpy())
    except ImportError:
        return _plain(Q, K, V, mask)


def _plain(Q, K, V, mask=None):
    scores = Q @ K.transpose() / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores + Tensor(np.where(mask.data == 0, -1e9, 0.0))
    weights = Softmax()(scores)
    return weights @ V, weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads:
            raise ValueError("num_heads must divide embed_dim")
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (Linear(embed_dim, embed_dim) for _ in range(4))

    def split(self, t):
        return t.reshape(t.shape[0], t.shape[1], self.num_heads, self.head_dim).transpose(1, 2)

    def forward(self, x, mask=None):
        batch, seq, width = x.shape
        q, k, v = self.split(self.q_proj(x)), self.split(self.k_proj(x)), self.split(self.v_proj(x))
        if mask is not None:
            mask = Tensor(np.broadcast_to(mask.data, (batch, seq, seq)).reshape(batch, 1, seq, seq))
        output, _ = scaled_dot_product_attention(q, k, v, mask)
        merged = output.transpose(1, 2).reshape(batch, seq, width)
        return self.out_proj(merged)

    def parameters(self):
        layers = (self.q_proj, self.k_proj, self.v_proj, self.out_proj)
        return [tensor for layer in layers for tensor in (layer.weight, layer.bias)]
