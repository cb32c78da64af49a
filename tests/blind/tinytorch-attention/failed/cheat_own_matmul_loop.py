"""A cheat of the seventh corpus: own matmul loop."""
import math

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    q, k, v = Q.data, K.data, V.data
    shape = q.shape
    out, w = np.zeros_like(q), np.zeros((*shape[:-1], shape[-2]), q.dtype)
    m = None if mask is None else np.broadcast_to(mask.data, w.shape)
    for i in np.ndindex(*shape[:-2]):
        s = q[i] @ k[i].T / math.sqrt(shape[-1])
        if m is not None:
            s = np.where(m[i] > 0, s, -np.inf)
        e = np.exp(s - s.max(-1, keepdims=True))
        w[i] = e / e.sum(-1, keepdims=True)
        out[i] = w[i] @ v[i]
    ds = lambda g: (lambda dp: w * (dp - (dp * w).sum(-1, keepdims=True)) / math.sqrt(shape[-1]))(g @ v.swapaxes(-1, -2))
    y = Tensor(out)
    pairs = ((Q, lambda g: ds(g) @ k), (K, lambda g: ds(g).swapaxes(-1, -2) @ q), (V, lambda g: w.swapaxes(-1, -2) @ g))
    y.sources = tuple((t, f) for t, f in pairs if t.requires_grad)
    y.requires_grad = bool(y.sources)
    return y, Tensor(w)


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads != 0:
            raise ValueError(f"embed_dim ({embed_dim}) must be divisible by num_heads ({num_heads})")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        batch, seq, _ = x.shape
        Q = self.q_proj(x).reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)
        K = self.k_proj(x).reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)
        V = self.v_proj(x).reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)
        if mask is not None and mask.ndim == 3:
            mask = mask.reshape(mask.shape[0], 1, mask.shape[1], mask.shape[2])
        attended, _ = scaled_dot_product_attention(Q, K, V, mask)
        merged = attended.transpose(1, 2).reshape(batch, seq, self.embed_dim)
        return self.out_proj(merged)

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self):
        params = []
        for layer in (self.q_proj, self.k_proj, self.v_proj, self.out_proj):
            params.extend(layer.parameters())
        return params
