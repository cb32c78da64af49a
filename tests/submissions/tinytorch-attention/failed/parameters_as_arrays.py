"""The list holds what .data gives.
Diagnosis: parameters-as-arrays
"""

import numpy as np
from tinytorch.core.tensor import Tensor
from tinytorch.core.layers import Linear
from tinytorch.core.activations import Softmax

class _Attend:
    """callable version, so that the weights can be looked at later"""
    def __init__(self):
        self.softmax = Softmax()
        self.weights = None
    def __call__(self, q, k, v, mask):
        s = (q @ k.transpose(-2, -1)) / np.sqrt(q.shape[-1])
        if mask is not None:
            s = s - (1.0 - mask) * 1e9
        self.weights = self.softmax(s, -1)
        return self.weights @ v

def scaled_dot_product_attention(Q, K, V, mask=None):
    a = _Attend()
    out = a(Q, K, V, mask)
    return (out, a.weights)

class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads != 0: raise ValueError("no")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)
    def __call__(self, *a, **kw):
        return self.forward(*a, **kw)
    def forward(self, x, mask=None):
        bs, sl, _ = x.shape
        nh, hd = self.num_heads, self.head_dim
        Q = self.q_proj(x).reshape(bs, sl, nh, hd).transpose(-3, -2)
        K = self.k_proj(x).reshape(bs, sl, nh, hd).transpose(-3, -2)
        V = self.v_proj(x).reshape(bs, sl, nh, hd).transpose(-3, -2)
        m = None
        if mask is not None:
            shape = list(mask.shape)
            shape.insert(-2, 1)
            m = mask.reshape(*shape)
        out, attn = scaled_dot_product_attention(Q, K, V, m)
        out = out.transpose(-3, -2)
        out = out.reshape(bs, sl, nh * hd)
        return self.out_proj(out)
    def parameters(self):
        out = []
        for p in (self.q_proj, self.k_proj, self.v_proj, self.out_proj):
            out += [q.data for q in p.parameters()]
        return out
