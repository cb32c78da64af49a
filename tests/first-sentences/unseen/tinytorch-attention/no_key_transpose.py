# Says: `Q.matmul(K)` multiplies features with tokens: turn the keys first, `Q.matmul(K.transpose())`.
# Line: 13
# Names: Q.matmul(K), transpose
# Kind: crash
import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    d = Q.shape[-1]
    scores = Q.matmul(K) / np.sqrt(d)
    if mask is not None:
        scores = scores + Tensor((1.0 - mask.data) * -1e9)
    attention_weights = Softmax()(scores, dim=-1)
    output = attention_weights.matmul(V)
    return output, attention_weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        assert embed_dim % num_heads == 0
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def split(self, x):
        batch, seq, _ = x.shape
        return x.reshape(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)

    def forward(self, x, mask=None):
        batch, seq, _ = x.shape
        q, k, v = self.split(self.q_proj(x)), self.split(self.k_proj(x)), self.split(self.v_proj(x))
        if mask is not None:
            mask = Tensor(mask.data[..., None, :, :])
        out, _ = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(out.transpose(1, 2).reshape(batch, seq, self.embed_dim))

    def parameters(self):
        params = []
        for layer in (self.q_proj, self.k_proj, self.v_proj, self.out_proj):
            params.extend(layer.parameters())
        return params
