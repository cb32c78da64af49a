"""Attention over blocks of queries, so that the whole matrix of scores never exists with its exponentials."""
import math

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def _stack_rows(blocks):
    if len(blocks) == 1:
        return blocks[0]
    whole = Tensor(np.concatenate([b.data for b in blocks], axis=-2))
    pairs, start = [], 0
    for b in blocks:
        stop = start + b.shape[-2]
        pairs.append((b, lambda g, start=start, stop=stop: g[..., start:stop, :]))
        start = stop
    whole.sources = tuple((b, back) for b, back in pairs if b.requires_grad)
    whole.requires_grad = bool(whole.sources)
    return whole


def scaled_dot_product_attention(Q, K, V, mask=None, block=2):
    keys = K.transpose(-2, -1)
    softmax, seq = Softmax(), Q.shape[-2]
    outputs, weights = [], []
    allowed = None if mask is None else np.broadcast_to(mask.data, Q.shape[:-1] + (K.shape[-2],))
    for start in range(0, seq, block):
        rows = (Ellipsis, slice(start, start + block), slice(None))
        scores = Q[rows].matmul(keys) / math.sqrt(Q.shape[-1])
        if allowed is not None:
            scores = scores + Tensor(np.where(allowed[rows] > 0, 0.0, -1e9))
        weights.append(softmax(scores))
        outputs.append(weights[-1].matmul(V))
    return _stack_rows(outputs), _stack_rows(weights)


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads != 0:
            raise ValueError(f"embed_dim {embed_dim} is not divisible by num_heads {num_heads}")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        batch, seq, _ = x.shape
        split = lambda t: t.reshape((batch, seq, self.num_heads, self.head_dim)).transpose(1, 2)
        projected = [split(layer(x)) for layer in [self.q_proj, self.k_proj, self.v_proj]]
        if mask is not None and mask.ndim > 2:
            mask = Tensor(mask.data[:, np.newaxis, :, :])
        out = scaled_dot_product_attention(*projected, mask=mask)[0]
        return self.out_proj(out.transpose(1, 2).reshape((batch, seq, -1)))

    def __call__(self, *args, **kwargs):
        return self.forward(*args, **kwargs)

    def parameters(self):
        return sum((layer.parameters() for layer in (self.q_proj, self.k_proj, self.v_proj, self.out_proj)), [])
