"""Right: generalised to cross-attention with an optional context and to any number of axes before the tokens."""
import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def _hide(scores, mask):
    """Scores where the mask is 1, a huge negative number elsewhere."""
    visible = np.broadcast_to(mask.data.astype(bool), scores.shape)
    return scores + np.where(visible, 0, -1e9).astype(scores.dtype)


def scaled_dot_product_attention(Q, K, V, mask=None, scale=None):
    scale = Q.shape[-1] ** -0.5 if scale is None else scale
    scores = scale * Q.matmul(K.transpose(-2, -1))
    if mask is not None:
        scores = _hide(scores, mask)
    weights = Softmax().forward(scores, dim=len(scores.shape) - 1)
    return weights.matmul(V), weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads, attention=scaled_dot_product_attention):
        if embed_dim % num_heads != 0:
            raise ValueError("embed_dim must be divisible by num_heads")
        self.embed_dim, self.num_heads = int(embed_dim), int(num_heads)
        self.head_dim = self.embed_dim // self.num_heads
        self.attention = attention
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def split(self, t):
        return t.reshape(t.shape[:-1] + (self.num_heads, self.head_dim)).transpose(-3, -2)

    def forward(self, x, mask=None, context=None):
        source = x if context is None else context
        if mask is not None:
            mask = Tensor(np.expand_dims(mask.data, axis=-3))
        out, _ = self.attention(
            self.split(self.q_proj(x)), self.split(self.k_proj(source)), self.split(self.v_proj(source)), mask
        )
        out = out.transpose(-3, -2)
        return self.out_proj(out.reshape(out.shape[:-2] + (self.embed_dim,)))

    def parameters(self):
        layers = [self.q_proj, self.k_proj, self.v_proj, self.out_proj]
        return sum((layer.parameters() for layer in layers), [])
