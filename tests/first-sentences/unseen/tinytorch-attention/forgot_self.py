# Says: `num_heads` in `forward` is not known there, it belongs to the layer: write `self.num_heads`.
# Line: 36
# Names: num_heads, self
# Kind: crash
import math
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    scale = math.sqrt(K.shape[-1])
    scores = Q @ K.transpose() / scale
    if mask is not None:
        scores = scores - (1.0 - mask) * 1e9
    weights = Softmax()(scores)
    return weights @ V, weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads != 0:
            raise ValueError("embed_dim must be a multiple of num_heads")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        batch, seq, embed = x.shape
        heads = []
        for proj in (self.q_proj, self.k_proj, self.v_proj):
            h = proj(x).reshape(batch, seq, num_heads, self.head_dim)
            heads.append(h.transpose(1, 2))
        if mask is not None:
            mask = mask.reshape(mask.shape[0], 1, seq, seq)
        out, _ = scaled_dot_product_attention(heads[0], heads[1], heads[2], mask)
        out = out.transpose(1, 2).reshape(batch, seq, embed)
        return self.out_proj(out)

    def parameters(self):
        ps = []
        for proj in (self.q_proj, self.k_proj, self.v_proj, self.out_proj):
            ps += [proj.weight, proj.bias]
        return ps
