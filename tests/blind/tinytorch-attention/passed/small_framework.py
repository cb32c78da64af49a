"""A base class that finds layers by itself, and small callable parts for each of the five steps."""
import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


class Module:
    def parameters(self):
        return [p for part in vars(self).values() if hasattr(part, "parameters") for p in part.parameters()]

    def __call__(self, *inputs, **options):
        return self.forward(*inputs, **options)


class SplitHeads(Module):
    def __init__(self, heads):
        self.heads = heads

    def forward(self, t):
        *front, width = t.shape
        return t.reshape(*front, self.heads, width // self.heads).transpose(-3, -2)


class MergeHeads(Module):
    def forward(self, t):
        turned = t.transpose(-3, -2)
        return turned.reshape(*turned.shape[:-2], turned.shape[-2] * turned.shape[-1])


class Attention(Module):
    def __init__(self):
        self.softmax = Softmax()

    def forward(self, q, k, v, mask=None):
        scores = q.matmul(k.transpose(-2, -1)) / np.sqrt(q.shape[-1])
        if mask is not None:
            scores = scores + (mask.data - 1.0) * 1e9
        weights = self.softmax(scores)
        return weights.matmul(v), weights


def scaled_dot_product_attention(Q, K, V, mask=None):
    return Attention()(Q, K, V, mask)


class MultiHeadAttention(Module):
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads != 0:
            raise ValueError("num_heads must divide embed_dim")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)
        self.split, self.merge = SplitHeads(num_heads), MergeHeads()

    def forward(self, x, mask=None):
        if mask is not None:
            seq = x.shape[1]
            mask = Tensor(mask.data.reshape(-1, 1, seq, seq))
        attended = scaled_dot_product_attention(
            self.split(self.q_proj(x)), self.split(self.k_proj(x)), self.split(self.v_proj(x)), mask
        )
        return self.out_proj(self.merge(attended[0]))
