"""Right: queries are taken in blocks of a generator and put together again with a Tensor that knows its sources."""
import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor

BLOCK = 2
_softmax = Softmax()


def concatenate(parts, axis):
    """Joins Tensors along an axis; the gradient is cut into the same parts again."""
    joined = Tensor(np.concatenate([p.data for p in parts], axis=axis))
    ends = np.cumsum([p.shape[axis] for p in parts])
    sources = []
    for p, end in zip(parts, ends):
        index = [slice(None)] * joined.ndim
        index[axis] = slice(int(end) - p.shape[axis], int(end))
        if p.requires_grad:
            sources.append((p, lambda g, index=tuple(index): g[index]))
    joined.sources, joined.requires_grad = tuple(sources), bool(sources)
    return joined


def _blocks(Q, keys, mask):
    for start in range(0, Q.shape[-2], BLOCK):
        rows = (Ellipsis, slice(start, start + BLOCK), slice(None))
        scores = Q[rows] @ keys
        yield scores if mask is None else scores + Tensor(mask[rows])


def scaled_dot_product_attention(Q, K, V, mask=None):
    keys = K.transpose() / Q.shape[-1] ** 0.5
    bias = None
    if mask is not None:
        full = np.broadcast_to(mask.data, np.broadcast_shapes(mask.shape, Q.shape[:-1] + (K.shape[-2],)))
        bias = np.where(full == 1, 0, -np.inf).astype(Q.dtype)
    rows = [_softmax(block) for block in _blocks(Q, keys, bias)]
    weights = concatenate(rows, axis=Q.ndim - 2)
    return weights @ V, weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads != 0:
            raise ValueError("embed_dim has to be a multiple of num_heads")
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.q_proj, self.k_proj, self.v_proj = (Linear(embed_dim, embed_dim) for _ in range(3))
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        b, s, _ = x.shape
        split = lambda t: t.reshape(b, s, self.num_heads, self.head_dim).transpose(1, 2)
        m = None if mask is None else Tensor(np.expand_dims(np.broadcast_to(mask.data, (b, s, s)), 1))
        y, _ = scaled_dot_product_attention(split(self.q_proj(x)), split(self.k_proj(x)), split(self.v_proj(x)), m)
        return self.out_proj(y.transpose(1, 2).reshape(b, s, -1))

    def parameters(self):
        found = []
        for value in vars(self).values():
            if isinstance(value, Linear):
                found.extend(value.parameters())
        return found
