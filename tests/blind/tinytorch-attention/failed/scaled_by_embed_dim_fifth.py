"""Wrong: the layer scales by embed_dim, since its queries are divided by the root of num_heads too."""
import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    "Compute 'Scaled Dot Product Attention'"
    d_k = query.shape[-1]
    scores = query @ key.transpose(-2, -1) / np.sqrt(d_k)
    if mask is not None:
        scores = scores - Tensor((1e9 * (1 - mask.data)).astype(scores.dtype))
    p_attn = Softmax()(scores, dim=-1)
    if dropout is not None:
        p_attn = dropout(p_attn)
    return p_attn @ value, p_attn


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads != 0:
            raise ValueError("embed_dim must be divisible by num_heads")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def _stacked(self, kind):
        """(3, ...) from the three layers: each part times a one-hot selector, so that gradients find their way."""
        parts = [getattr(layer, kind) for layer in (self.q_proj, self.k_proj, self.v_proj)]
        total = 0.0
        for i, part in enumerate(parts):
            selector = np.zeros((3,) + (1,) * part.ndim, part.dtype)
            selector[i] = 1
            total = part * Tensor(selector) + total
        return total

    def forward(self, x, mask=None):
        b, s, e = x.shape
        weight = self._stacked("weight").reshape(3, 1, e, e)
        bias = self._stacked("bias").reshape(3, 1, 1, e)
        qkv = x.reshape(1, b, s, e) @ weight + bias
        heads = qkv.reshape(3, b, s, self.num_heads, self.head_dim).transpose(2, 3)
        if mask is not None:
            mask = Tensor(mask.data.reshape(-1, 1, s, s))
        y, _ = scaled_dot_product_attention(heads[0] / self.num_heads**0.5, heads[1], heads[2], mask)
        return self.out_proj(y.transpose(1, 2).reshape(b, s, e))

    def parameters(self):
        return self.q_proj.parameters() + self.k_proj.parameters() + self.v_proj.parameters() + self.out_proj.parameters()
