# Says: `self.head_dim` is read in `split_heads` but `__init__` stores it as `self.head_size`: use one name, `head_dim`.
# Line: 38
# Names: head_dim, head_size
# Kind: crash
import numpy as np

from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = Q @ K.transpose()
    scores = scores * (1.0 / float(np.sqrt(d_k)))
    if mask is not None:
        hidden = np.where(mask.data > 0.5, 0.0, -1e9)
        scores = scores + Tensor(hidden)
    weights = Softmax()(scores)
    output = weights @ V
    return output, weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads != 0:
            raise ValueError("embed_dim must be divisible by num_heads")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_size = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def split_heads(self, t):
        b, s, _ = t.shape
        return t.reshape(b, s, self.num_heads, self.head_dim).transpose(1, 2)

    def forward(self, x, mask=None):
        b, s, _ = x.shape
        Q = self.split_heads(self.q_proj(x))
        K = self.split_heads(self.k_proj(x))
        V = self.split_heads(self.v_proj(x))
        if mask is not None:
            m = mask.data
            if m.ndim == 3:
                m = m[:, None, :, :]
            mask = Tensor(m)
        out, _ = scaled_dot_product_attention(Q, K, V, mask)
        out = out.transpose(1, 2).reshape(b, s, self.embed_dim)
        return self.out_proj(out)

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self):
        params = []
        for layer in (self.q_proj, self.k_proj, self.v_proj, self.out_proj):
            params.append(layer.weight)
            params.append(layer.bias)
        return params
