# Says: `scaled_dot_product_attention` returns only `output`, but it has to return two Tensors: `return output, weights`.
# Line: 21
# Names: output, weights
# Kind: missing return
"""Attention over tinytorch."""
import math

from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor

softmax = Softmax()


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None):
    scores = (Q @ K.transpose()) * (1 / math.sqrt(Q.shape[-1]))
    if mask is not None:
        scores = scores + (mask - 1.0) * 1e9
    weights = softmax(scores)
    output = weights @ V
    return output


class MultiHeadAttention:
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        if embed_dim % num_heads:
            raise ValueError(f"{embed_dim} is not a multiple of {num_heads}")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (Linear(embed_dim, embed_dim) for _ in range(4))

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        b, s, e = x.shape
        q, k, v = (
            layer(x).reshape(b, s, self.num_heads, self.head_dim).transpose(1, 2)
            for layer in (self.q_proj, self.k_proj, self.v_proj)
        )
        if mask is not None:
            mask = Tensor(mask.data.reshape(-1, 1, s, s))
        out = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(out.transpose(1, 2).reshape(b, s, e))

    def parameters(self) -> list[Tensor]:
        return [p for layer in (self.q_proj, self.k_proj, self.v_proj, self.out_proj) for p in (layer.weight, layer.bias)]
