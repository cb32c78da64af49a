# Says: `import torch` is not available here: build the attention from `tinytorch` tensors, and use the `Softmax` that is already imported instead of `torch.softmax`.
# Line: 6
# Names: import torch, tinytorch
# Kind: refused
import math
import torch
from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q.matmul(K.transpose()) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores + (1 - mask) * -1e9
    weights = torch.softmax(scores, dim=-1)
    return weights.matmul(V), weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads != 0:
            raise ValueError("embed_dim must be divisible by num_heads")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        b, n, d = x.shape
        q = self.q_proj(x).reshape(b, n, self.num_heads, self.head_dim).transpose(1, 2)
        k = self.k_proj(x).reshape(b, n, self.num_heads, self.head_dim).transpose(1, 2)
        v = self.v_proj(x).reshape(b, n, self.num_heads, self.head_dim).transpose(1, 2)
        if mask is not None:
            mask = Tensor(mask.data.reshape(mask.shape[0], 1, n, n))
        out, _ = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(out.transpose(1, 2).reshape(b, n, d))

    def parameters(self):
        return self.q_proj.parameters() + self.k_proj.parameters() + self.v_proj.parameters() + self.out_proj.parameters()
