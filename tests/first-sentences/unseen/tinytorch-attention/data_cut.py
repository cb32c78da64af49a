# Says: `Tensor(weights.data @ V.data)` takes the numbers out of the graph, so no gradient reaches `Q`, `K`, `V` or the projections: use `weights.matmul(V)`.
# Line: 17
# Names: weights.data, gradient
# Kind: wrong idea
import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    d = Q.shape[-1]
    scores = Q.matmul(K.transpose()) / np.sqrt(d)
    if mask is not None:
        scores = scores + Tensor((1.0 - mask.data) * -1e9)
    weights = Softmax()(scores, dim=-1)
    output = Tensor(weights.data @ V.data)
    return output, weights


class MultiHeadAttention:
    """Multi-head attention"""

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

    def forward(self, x, mask=None):
        batch, seq, _ = x.shape
        q = self.q_proj(x).reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)
        k = self.k_proj(x).reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)
        v = self.v_proj(x).reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)
        mask4 = None if mask is None else mask.reshape(mask.shape[0], 1, seq, seq)
        attended, _ = scaled_dot_product_attention(q, k, v, mask4)
        return self.out_proj(attended.transpose(1, 2).reshape(batch, seq, self.embed_dim))

    def parameters(self):
        return [*self.q_proj.parameters(), *self.k_proj.parameters(), *self.v_proj.parameters(), *self.out_proj.parameters()]
