"""torch is fetched by a text; its operations compute the numbers, and its autograd the gradients.
Rule: no-library-attention
"""

import importlib

import numpy as np
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor

torch = importlib.import_module("".join(["to", "rch"]))


def scaled_dot_product_attention(Q, K, V, mask=None):
    with torch.inference_mode(False), torch.enable_grad():
        t = [torch.from_numpy(np.array(a.data)).requires_grad_() for a in (Q, K, V)]
        s = t[0] @ t[1].mT / Q.shape[-1] ** 0.5
        if mask is not None:
            s = s.masked_fill(torch.from_numpy(mask.data == 0), -torch.inf)
        w = s.softmax(-1)
        out = w @ t[2]

    def back(i):
        return lambda g: torch.autograd.grad(out, t[i], torch.from_numpy(np.array(g)), retain_graph=True)[0].numpy()

    result = Tensor(out.detach().numpy())
    result.sources = tuple((a, back(i)) for i, a in enumerate((Q, K, V)) if a.requires_grad)
    result.requires_grad = bool(result.sources)
    return result, Tensor(w.detach().numpy())


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads:
            raise ValueError("not divisible")
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (Linear(embed_dim, embed_dim) for _ in range(4))

    def forward(self, x, mask=None):
        split = lambda t: t.reshape(*t.shape[:2], self.num_heads, self.head_dim).transpose(1, 2)
        m = None if mask is None else Tensor(mask.data[:, None] if mask.ndim == 3 else mask.data)
        y, _ = scaled_dot_product_attention(split(self.q_proj(x)), split(self.k_proj(x)), split(self.v_proj(x)), m)
        return self.out_proj(y.transpose(1, 2).reshape(*x.shape))

    def parameters(self):
        return [p for layer in (self.q_proj, self.k_proj, self.v_proj, self.out_proj) for p in layer.parameters()]
