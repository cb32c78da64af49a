"""Only operators: the mask stays a Tensor, and axes are added by indexing."""

from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    Q = Q * (Q.shape[-1] ** -0.5)
    scores = Q @ K.transpose(-1, -2)
    if mask is not None:
        scores = scores + (mask - 1.0) * 1e9
    attention_weights = Softmax()(scores, -1)
    return attention_weights @ V, attention_weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        assert num_heads > 0
        assert embed_dim % num_heads == 0
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        b, s, e = x.shape
        h, d = self.num_heads, self.head_dim
        q = self.q_proj(x).reshape(b, s, h, d).transpose(1, 2)
        k = self.k_proj(x).reshape(b, s, h, d).transpose(1, 2)
        v = self.v_proj(x).reshape(b, s, h, d).transpose(1, 2)
        if mask is not None:
            mask = mask[..., None, :, :]
        y = scaled_dot_product_attention(q, k, v, mask)[0]
        return self.out_proj(y.transpose(1, 2).reshape(b, s, e))

    def parameters(self):
        params = []
        params += self.q_proj.parameters()
        params += self.k_proj.parameters()
        params += self.v_proj.parameters()
        params += self.out_proj.parameters()
        return params
