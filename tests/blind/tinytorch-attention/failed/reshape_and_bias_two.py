"""Two mistakes: heads are split by a reshape alone, and they are merged without moving them back."""
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


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads:
            raise ValueError("embed_dim must be divisible by num_heads")
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.q_proj, self.k_proj = Linear(embed_dim, embed_dim), Linear(embed_dim, embed_dim)
        self.v_proj, self.out_proj = Linear(embed_dim, embed_dim), Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        b, s, e = x.shape
        q = self.q_proj(x).reshape(b, self.num_heads, s, self.head_dim)
        k = self.k_proj(x).reshape(b, self.num_heads, s, self.head_dim)
        v = self.v_proj(x).reshape(b, self.num_heads, s, self.head_dim)
        if mask is not None:
            mask = mask.reshape(-1, 1, s, s)
        out, _ = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(out.reshape(b, s, e))

    def parameters(self):
        return self.q_proj.parameters() + self.k_proj.parameters() + self.v_proj.parameters() + self.out_proj.parameters()
