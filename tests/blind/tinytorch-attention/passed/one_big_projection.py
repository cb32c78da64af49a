"""A right answer of the seventh corpus."""
import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


softmax = Softmax()


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = (Q @ K.transpose(-2, -1)) * Q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores + Tensor(np.where(mask.data == 0, -np.inf, 0.0))
    attention_weights = softmax(scores)
    output = attention_weights @ V
    return output, attention_weights


def concatenate(tensors, axis):
    """np.concatenate with a gradient."""
    ends = np.cumsum([t.shape[axis] for t in tensors])
    result = Tensor(np.concatenate([t.data for t in tensors], axis=axis))
    sources = []
    for t, end in zip(tensors, ends):
        if t.requires_grad:
            index = [slice(None)] * t.ndim
            index[axis] = slice(end - t.shape[axis], end)
            sources.append((t, lambda g, index=tuple(index): g[index]))
    result.sources = tuple(sources)
    result.requires_grad = bool(sources)
    return result


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads, *, attention=scaled_dot_product_attention):
        if embed_dim % num_heads != 0:
            raise ValueError("embed_dim % num_heads")
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)
        self._attention = attention

    def forward(self, x, mask=None):
        inputs = (self.q_proj, self.k_proj, self.v_proj)
        qkv = x @ concatenate([p.weight for p in inputs], 1) + concatenate([p.bias for p in inputs], 0)
        b, s, _ = x.shape
        qkv = qkv.reshape(b, s, 3, self.num_heads, self.head_dim)
        q, k, v = (qkv[:, :, i].transpose(1, 2) for i in range(3))
        if mask is not None:
            mask = mask if mask.ndim == 2 else mask[:, None, :, :]
        y, _ = self._attention(q, k, v, mask)
        return self.out_proj(y.transpose(1, 2).reshape(b, s, self.embed_dim))

    __call__ = forward

    def parameters(self):
        return [getattr(p, kind) for p in (self.q_proj, self.k_proj, self.v_proj, self.out_proj) for kind in ("weight", "bias")]
