"""Attention over tinytorch, with functions beside the class and few lines."""

from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor

NEVER = -1e9


def masked(scores, mask):
    if mask is None:
        return scores
    return scores + Tensor((1.0 - mask.data) * NEVER)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = (Q @ K.transpose(-2, -1)) * Q.shape[-1] ** -0.5
    weights = Softmax()(masked(scores, mask), dim=-1)
    return weights @ V, weights


def into_heads(x, num_heads):
    batch, length, width = x.shape
    return x.reshape(batch, length, num_heads, width // num_heads).transpose(1, 2)


def out_of_heads(x):
    batch, num_heads, length, width = x.shape
    return x.transpose(1, 2).reshape(batch, length, num_heads * width)


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        assert embed_dim % num_heads == 0, f"{num_heads} heads cannot share {embed_dim} features"
        self.embed_dim, self.num_heads = embed_dim, num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def layers(self):
        return self.q_proj, self.k_proj, self.v_proj, self.out_proj

    def parameters(self):
        return [parameter for layer in self.layers() for parameter in layer.parameters()]

    def forward(self, x, mask=None):
        q, k, v = (into_heads(layer(x), self.num_heads) for layer in self.layers()[:3])
        if mask is not None and mask.ndim == 3:
            mask = Tensor(mask.data[:, None])
        output, _ = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(out_of_heads(output))

    __call__ = forward
