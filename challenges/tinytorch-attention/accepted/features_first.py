"""Everything lies transposed: features stand before tokens, so that queries are turned instead of keys."""

from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor

HIDDEN = -1e9


def scores_of(queries, keys, width):
    """By the law of the transposed product: (K Q^T)^T is Q K^T."""
    return (keys @ queries.transpose(-2, -1)).transpose(-2, -1) * (1 / width**0.5)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = scores_of(Q, K, Q.shape[-1])
    if mask is not None:
        scores = scores * mask + (1 - mask) * HIDDEN
    weights = Softmax()(scores.transpose(), dim=-2).transpose()
    return (V.transpose() @ weights.transpose()).transpose(), weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim // num_heads * num_heads != embed_dim:
            raise ValueError("heads need equal shares")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim)
        self.k_proj = Linear(embed_dim, embed_dim)
        self.v_proj = Linear(embed_dim, embed_dim)
        self.out_proj = Linear(embed_dim, embed_dim)

    def heads_of(self, x):
        """(batch, embed_dim, seq) -> (batch, heads, head_dim, seq) -> (batch, heads, seq, head_dim)."""
        turned = x.transpose()
        return turned.reshape(turned.shape[0], self.num_heads, self.head_dim, turned.shape[2]).transpose()

    def forward(self, x, mask=None):
        batch, seq, width = x.shape
        if mask is not None and len(mask.shape) == 3:
            mask = mask.reshape(mask.shape[0], 1, seq, seq)
        output, _ = scaled_dot_product_attention(
            *(self.heads_of(y) for y in (self.q_proj(x), self.k_proj(x), self.v_proj(x))), mask
        )
        return self.out_proj(output.transpose().reshape(batch, width, seq).transpose())

    def parameters(self):
        return [
            *self.q_proj.parameters(),
            *self.k_proj.parameters(),
            *self.v_proj.parameters(),
            *self.out_proj.parameters(),
        ]
