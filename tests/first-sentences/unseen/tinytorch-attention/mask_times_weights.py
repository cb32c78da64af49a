# Says: `weights * mask` after the softmax hides keys, but then the rows no longer add up to 1: add -1e9 to the hidden scores before the softmax.
# Line: 15
# Names: weights * mask, softmax
# Kind: wrong idea
import math
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q.matmul(K.transpose()) / math.sqrt(Q.shape[-1])
    weights = Softmax()(scores)
    if mask is not None:
        weights = weights * mask
    return weights.matmul(V), weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        assert embed_dim % num_heads == 0, "embed_dim % num_heads"
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def _heads(self, t):
        return t.reshape(t.shape[0], t.shape[1], self.num_heads, self.head_dim).transpose(1, 2)

    def forward(self, x, mask=None):
        q = self._heads(self.q_proj(x))
        k = self._heads(self.k_proj(x))
        v = self._heads(self.v_proj(x))
        if mask is not None:
            mask = mask.reshape(mask.shape[0], 1, mask.shape[-2], mask.shape[-1])
        y, _ = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(y.transpose(1, 2).reshape(*x.shape))

    def parameters(self):
        return sum((p.parameters() for p in (self.q_proj, self.k_proj, self.v_proj, self.out_proj)), [])
