"""More options than asked for, each with a default that leaves things as they are."""

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None, scale=None, fill=-1e9, softmax=Softmax()):
    if scale is None:
        scale = 1 / np.sqrt(Q.shape[-1])
    scores = Q @ K.transpose() * scale
    if mask is not None:
        scores = scores + fill * (1 - mask)
    weights = softmax(scores, dim=-1)
    return weights @ V, weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads, bias=True, name="attention"):
        if embed_dim % num_heads != 0:
            raise ValueError(f"{name}: embed_dim must be divisible by num_heads")
        self.name = name
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim, bias)
        self.k_proj = Linear(embed_dim, embed_dim, bias)
        self.v_proj = Linear(embed_dim, embed_dim, bias)
        self.out_proj = Linear(embed_dim, embed_dim, bias)

    def forward(self, x, mask=None, return_weights=False):
        b, s, e = x.shape
        h = self.num_heads
        q, k, v = (p(x).reshape(b, s, h, e // h).transpose(1, 2) for p in (self.q_proj, self.k_proj, self.v_proj))
        if mask is not None and mask.ndim == 3:
            mask = mask[:, None, :, :]
        o, w = scaled_dot_product_attention(q, k, v, mask, scale=self.head_dim**-0.5)
        o = self.out_proj(o.transpose(1, 2).reshape(b, s, e))
        return (o, w) if return_weights else o

    def __call__(self, x, mask=None, **options):
        return self.forward(x, mask, **options)

    def parameters(self):
        return [p for m in (self.q_proj, self.k_proj, self.v_proj, self.out_proj) for p in m.parameters()]
