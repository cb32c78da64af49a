"""The number of heads is a global that every new layer overwrites: right as long as there is only one layer."""
# expect: layers share their sizes
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor

HEADS = 1


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q.matmul(K.transpose(-2, -1)) / float(Q.shape[-1]) ** 0.5
    if mask is not None:
        scores = scores + (1.0 - mask) * -1e9
    weights = Softmax()(scores)
    return weights.matmul(V), weights


def split(t):
    b, s, e = t.shape
    return t.reshape(b, s, HEADS, e // HEADS).transpose(1, 2)


def merge(t):
    b, h, s, d = t.shape
    return t.transpose(1, 2).reshape(b, s, h * d)


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        global HEADS
        if embed_dim % num_heads:
            raise ValueError("num_heads must divide embed_dim")
        HEADS = num_heads
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        if mask is not None and mask.ndim == 3:
            mask = Tensor(mask.data[:, None])
        q, k, v = split(self.q_proj(x)), split(self.k_proj(x)), split(self.v_proj(x))
        return self.out_proj(merge(scaled_dot_product_attention(q, k, v, mask)[0]))

    def parameters(self):
        return [p for layer in (self.q_proj, self.k_proj, self.v_proj, self.out_proj) for p in layer.parameters()]
