# Says: A tinytorch Tensor has no `view`: use `reshape` to split the heads.
# Line: 37
# Names: view, reshape
# Kind: crash
import numpy as np
from tinytorch.core.tensor import Tensor
from tinytorch.core.layers import Linear
from tinytorch.core.activations import Softmax


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q.matmul(K.transpose(-2, -1)) / float(np.sqrt(Q.shape[-1]))
    if mask is not None:
        bias = np.where(mask.data == 0, -1e9, 0.0).astype(np.float32)
        scores = scores + Tensor(bias)
    weights = Softmax().forward(scores, dim=-1)
    return weights.matmul(V), weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads != 0:
            raise ValueError("embed_dim % num_heads != 0")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        batch, seq, _ = x.shape
        q = self.q_proj.forward(x)
        k = self.k_proj.forward(x)
        v = self.v_proj.forward(x)
        q = q.view(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)
        k = k.view(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)
        v = v.view(batch, seq, self.num_heads, self.head_dim).transpose(1, 2)
        if mask is not None and mask.ndim == 3:
            mask = Tensor(np.expand_dims(mask.data, 1))
        out, _ = scaled_dot_product_attention(q, k, v, mask)
        out = out.transpose(1, 2).reshape(batch, seq, self.embed_dim)
        return self.out_proj.forward(out)

    def parameters(self):
        return (self.q_proj.parameters() + self.k_proj.parameters()
                + self.v_proj.parameters() + self.out_proj.parameters())
