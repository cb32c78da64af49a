"""Attention over tinytorch.

Read tinytorch-attention.md, fill in what is missing, then run `engine submit-build attention.py`.
"""

from tinytorch.core.activations import Softmax
from tinytorch.core.layers import Linear
from tinytorch.core.tensor import Tensor


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """Output (batch, seq, d) and attention weights (batch, seq, seq). mask is 1.0 where a query may attend."""
    raise NotImplementedError


class MultiHeadAttention:
    """Attention in num_heads heads at once, each on embed_dim // num_heads features."""

    def __init__(self, embed_dim: int, num_heads: int) -> None:
        raise NotImplementedError

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """(batch, seq, embed_dim) -> (batch, seq, embed_dim), with your scaled_dot_product_attention."""
        raise NotImplementedError

    def __call__(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        return self.forward(x, mask)

    def parameters(self) -> list[Tensor]:
        """Everything that is learned: weights and biases of the four projections."""
        raise NotImplementedError
