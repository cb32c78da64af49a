"""Right: the minimalist."""
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear


def scaled_dot_product_attention(Q, K, V, mask=None):
    s = Q @ K.transpose() / Q.shape[-1] ** 0.5
    w = Softmax()(s if mask is None else s + (mask - 1) * 1e9)
    return w @ V, w


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        assert embed_dim % num_heads == 0
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = [Linear(embed_dim, embed_dim) for _ in "qkvo"]

    def forward(self, x, mask=None):
        f = lambda p: p(x).reshape(*x.shape[:2], self.num_heads, -1).transpose(1, 2)
        o, _ = scaled_dot_product_attention(f(self.q_proj), f(self.k_proj), f(self.v_proj), mask and mask[..., None, :, :])
        return self.out_proj(o.transpose(1, 2).reshape(*x.shape))

    def parameters(self):
        return [p for n in (self.q_proj, self.k_proj, self.v_proj, self.out_proj) for p in (n.weight, n.bias)]
