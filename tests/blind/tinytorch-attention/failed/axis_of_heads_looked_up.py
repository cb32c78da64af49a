"""A layer that finds the axis of its heads by its length.

Idea: The axis that is num_heads long is searched from the left, and the batch or the tokens are found first when they are as many.
Where: only when there are as many sequences, or as many tokens, as heads
"""

from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(
    Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """softmax(Q K^T / sqrt(d)) V"""
    scores = (Q * Q.shape[-1] ** -0.5) @ K.transpose()
    if mask is not None:
        scores = scores + Tensor((mask.data - 1.0) * 1e9)
    attention_weights = Softmax().forward(scores, dim=-1)
    return attention_weights @ V, attention_weights


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
        batch, seq, _ = x.shape
        q = self.q_proj.forward(x)
        k = self.k_proj.forward(x)
        v = self.v_proj.forward(x)
        parts = []
        for t in (q, k, v):
            t = t.reshape(batch, seq, self.num_heads, self.head_dim)
            axis = t.shape.index(self.num_heads)  # where the heads are
            parts.append(t.transpose(axis, 1) if axis != 1 else t)
        q, k, v = parts
        if mask is not None:
            mask = mask.reshape(mask.shape[0], 1, seq, seq)
        out, _ = scaled_dot_product_attention(q, k, v, mask)
        out = out.transpose(1, 2).reshape(batch, seq, self.embed_dim)
        return self.out_proj.forward(out)

    def __call__(self, x, mask=None):
        return self.forward(x, mask)

    def parameters(self):
        params = []
        for layer in [self.q_proj, self.k_proj, self.v_proj, self.out_proj]:
            params.extend(layer.parameters())
        return params
