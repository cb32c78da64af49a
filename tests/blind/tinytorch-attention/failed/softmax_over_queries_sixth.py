"""The softmax runs over the queries: every column adds up to 1, not every row."""
# expect: softmax over the wrong axis
import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor

ONE = np.ones(1, np.float64)


def scaled_dot_product_attention(Q, K, V, mask=None):
    q, k, v = Q * ONE, K * ONE, V * ONE
    s = q.matmul(k.transpose()) / float(q.shape[-1]) ** 0.5
    if mask is not None:
        s = s + (1.0 - np.asarray(mask.data, np.float64)) * -1e30
    w = Softmax().forward(s, dim=-2)
    return w.matmul(v), w


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads:
            raise ValueError("embed_dim % num_heads != 0")
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (Linear(embed_dim, embed_dim) for _ in range(4))

    def forward(self, x, mask=None):
        n, t, _ = x.shape
        x = x * ONE
        heads = lambda y: y.reshape(n, t, self.num_heads, self.head_dim).transpose(1, 2)
        m = None if mask is None else Tensor(np.broadcast_to(mask.data, (n, t, t))[:, None].copy())
        y, _ = scaled_dot_product_attention(
            Q=heads(self.q_proj(x)), K=heads(self.k_proj(x)), V=heads(self.v_proj(x)), mask=m
        )
        return self.out_proj(y.transpose(1, 2).reshape(n, t, self.embed_dim))

    def parameters(self):
        return self.q_proj.parameters() + self.k_proj.parameters() + self.v_proj.parameters() + self.out_proj.parameters()
