"""A cheat of the eighth corpus: imports torch by a string and takes values and gradients from its attention."""
import math

import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor
import importlib


def scaled_dot_product_attention(Q, K, V, mask=None):
    torch = importlib.import_module("to" + "rch")
    q, k, v = (torch.tensor(t.data, requires_grad=True) for t in (Q, K, V))
    m = None if mask is None else torch.tensor(mask.data) > 0
    out = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=m)
    result = Tensor(out.detach().numpy())
    result.sources = tuple((t, lambda g, a=a: torch.autograd.grad(out, a, torch.tensor(g), retain_graph=True)[0].numpy()) for t, a in ((Q, q), (K, k), (V, v)))
    result.requires_grad = True
    eye = torch.eye(k.shape[-2], dtype=q.dtype).expand(*k.shape[:-1], -1)
    return result, Tensor(torch.nn.functional.scaled_dot_product_attention(q, k, eye, attn_mask=m).detach().numpy())


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads:
            raise ValueError
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (Linear(embed_dim, embed_dim) for _ in range(4))

    def forward(self, x, mask=None):
        b, t, e = x.shape
        q, k, v = (p(x).reshape(b, t, self.num_heads, -1).transpose(1, 2) for p in (self.q_proj, self.k_proj, self.v_proj))
        o = scaled_dot_product_attention(q, k, v, None if mask is None else Tensor(mask.data[:, None]))[0]
        return self.out_proj(o.transpose(1, 2).reshape(b, t, e))

    def parameters(self):
        return [p for l in (self.q_proj, self.k_proj, self.v_proj, self.out_proj) for p in l.parameters()]
