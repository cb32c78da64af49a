"""Fuses the three weights into one matrix in the constructor, which never hears of it when new numbers are written into them."""
# expect: weights copied in the constructor
import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q.matmul(K.transpose(-2, -1)) / float(Q.shape[-1]) ** 0.5
    if mask is not None:
        scores = scores + (1.0 - mask) * -1e9
    weights = Softmax()(scores)
    return weights.matmul(V), weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads:
            raise ValueError("not divisible")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)
        layers = (self.q_proj, self.k_proj, self.v_proj)
        self.qkv_weight = Tensor(np.concatenate([p.weight.data for p in layers], axis=1), requires_grad=True)
        self.qkv_bias = Tensor(np.concatenate([p.bias.data for p in layers]), requires_grad=True)

    def forward(self, x, mask=None):
        b, s, e = x.shape
        qkv = (x.matmul(self.qkv_weight) + self.qkv_bias).reshape(b, s, 3, self.num_heads, self.head_dim)
        q, k, v = (qkv[:, :, i].transpose(1, 2) for i in range(3))
        if mask is not None and mask.ndim == 3:
            mask = Tensor(mask.data[:, None])
        out, _ = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(out.transpose(1, 2).reshape(b, s, e))

    def parameters(self):
        return [p for layer in (self.q_proj, self.k_proj, self.v_proj, self.out_proj) for p in layer.parameters()]
