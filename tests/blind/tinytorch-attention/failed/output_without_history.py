"""Wrong: the cast makes a new Tensor from .data, so nothing before the attention learns."""
import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


class cast:
    """cast(t, dtype) -> Tensor whose gradient goes back to t in the dtype of t."""

    def __new__(cls, t, dtype):
        return Tensor(t.data.astype(dtype), requires_grad=t.requires_grad)


def scaled_dot_product_attention(Q, K, V, mask=None):
    narrow = Q.dtype
    Q, K, V = (cast(t, np.float64) for t in (Q, K, V))
    scores = (Q @ K.transpose()) * np.float64(1 / np.sqrt(Q.shape[-1]))
    if mask is not None:
        scores = scores + Tensor(np.where(mask.data.astype(bool), 0.0, -np.inf))
    weights = Softmax()(scores)
    return cast(weights @ V, narrow), cast(weights, narrow)


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        assert num_heads > 0 and embed_dim % num_heads == 0, f"{embed_dim=} {num_heads=}"
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        batch, seq, _ = x.shape
        def split(t):
            return t.reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)
        if mask is not None:
            mask = Tensor(mask.data[..., np.newaxis, :, :])
        y, _ = scaled_dot_product_attention(split(self.q_proj(x)), split(self.k_proj(x)), split(self.v_proj(x)), mask)
        return self.out_proj(y.transpose(1, 2).reshape(batch, seq, self.embed_dim))

    def parameters(self):
        parameters = []
        parameters += self.q_proj.parameters()
        parameters += self.k_proj.parameters()
        parameters += self.v_proj.parameters()
        parameters += self.out_proj.parameters()
        return parameters
