# Right: heads go into the batch axis, so that the function only ever sees three axes; CRLF
import numpy as np
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor

softmax = Softmax()

def scaled_dot_product_attention(Q, K, V, mask=None):
    d = Q.shape[-1]
    S = (Q @ K.transpose()) / np.sqrt(d).item()
    if mask is not None:
        S = S + (mask.data - 1).astype(S.dtype) * 1e9;
    A = softmax(S)
    return A @ V, A

class MultiHeadAttention(object):
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads: raise ValueError('num_heads=%d does not divide embed_dim=%d' % (num_heads, embed_dim))
        self.embed_dim = embed_dim; self.num_heads = num_heads; self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def fold(self, t):
        b, s, _ = t.shape
        return t.reshape(b, s, self.num_heads, self.head_dim).transpose(1, 2).reshape(b * self.num_heads, s, self.head_dim)

    def unfold(self, t, b):
        _, s, _ = t.shape
        return t.reshape(b, self.num_heads, s, self.head_dim).transpose(1, 2).reshape(b, s, self.embed_dim)

    def forward(self, x, mask=None):
        b, s, _ = x.shape
        if mask is not None:
            m = np.broadcast_to(mask.data, (b, s, s))
            mask = Tensor(np.repeat(m, self.num_heads, axis=0))     # sequence by sequence, each once per head
        out, _ = scaled_dot_product_attention(self.fold(self.q_proj(x)), self.fold(self.k_proj(x)), self.fold(self.v_proj(x)), mask)
        return self.out_proj(self.unfold(out, b))

    def parameters(self):
        return (self.q_proj.weight, self.q_proj.bias, self.k_proj.weight, self.k_proj.bias,
                self.v_proj.weight, self.v_proj.bias, self.out_proj.weight, self.out_proj.bias)
