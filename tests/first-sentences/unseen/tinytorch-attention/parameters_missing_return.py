# Says: `parameters()` builds the list `params` but never returns it, so it gives None: add `return params`.
# Line: 47
# Names: parameters, params, return
# Kind: missing return
import math
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q.matmul(K.transpose()) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores + Tensor((1 - mask.data) * -1e9)
    weights = Softmax()(scores)
    return weights.matmul(V), weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads != 0:
            raise ValueError("not divisible")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        batch, seq, dim = x.shape
        q = self.q_proj(x).reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)
        k = self.k_proj(x).reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)
        v = self.v_proj(x).reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)
        if mask is not None:
            mask = Tensor(mask.data[:, None])
        out, _ = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(out.transpose(1, 2).reshape(batch, seq, dim))

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self):
        params = []
        for layer in [self.q_proj, self.k_proj, self.v_proj, self.out_proj]:
            params = params + layer.parameters()
