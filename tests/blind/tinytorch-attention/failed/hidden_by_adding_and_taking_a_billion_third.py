"""Scores are lifted by 1e9, multiplied with the mask and let down again.

Wrong: in float32 the sum with 1e9 rounds the visible scores away, in the weights of all visible tokens.
Condition: a mask, scores in float32 (nearly right in float64).
Spec: "Both must be right to what float32 rounding explains"
"""

from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = (Q @ K.transpose()) * Q.shape[-1] ** -0.5
    if mask is not None:
        scores = (scores + 1e9) * mask.data.astype(scores.dtype) - 1e9
    attention_weights = Softmax()(scores, dim=scores.ndim - 1)
    return attention_weights @ V, attention_weights


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        if embed_dim // num_heads * num_heads != embed_dim:
            raise ValueError("embed_dim must be divisible by num_heads")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.projections = {name: Linear(embed_dim, embed_dim) for name in ("q", "k", "v", "out")}
        self.q_proj = self.projections["q"]
        self.k_proj = self.projections["k"]
        self.v_proj = self.projections["v"]
        self.out_proj = self.projections["out"]

    def forward(self, x, mask=None):
        batch, seq, embed = x.shape
        parts = []
        for layer in (self.q_proj, self.k_proj, self.v_proj):
            columns = layer(x).transpose(1, 2)  # (batch, embed, seq)
            parts.append(columns.reshape(batch, self.num_heads, self.head_dim, seq).transpose(2, 3))
        shared = mask
        if mask is not None:
            shared = mask[:, None, :, :] if mask.ndim == 3 else mask
        y, _ = scaled_dot_product_attention(parts[0], parts[1], parts[2], shared)
        y = y.transpose(2, 3).reshape(batch, embed, seq).transpose(1, 2)
        return self.out_proj(y)

    def parameters(self):
        return tuple(p for layer in (self.q_proj, self.k_proj, self.v_proj, self.out_proj) for p in layer.parameters())
