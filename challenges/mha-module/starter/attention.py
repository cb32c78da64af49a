"""Your multi-head attention.

Read mha-module.md, fill in the three classes, then run `engine submit-build`.
"""

from torch import Tensor, nn


class CausalAttention(nn.Module):
    """One head, d_out wide, without an output projection: (batch, tokens, d_in) -> (batch, tokens, d_out)."""

    def __init__(self, d_in: int, d_out: int, context_length: int, dropout: float, qkv_bias: bool = False) -> None:
        super().__init__()

    def forward(self, x: Tensor) -> Tensor:
        raise NotImplementedError


class MultiHeadAttentionWrapper(nn.Module):
    """num_heads of the above, side by side: (batch, tokens, d_in) -> (batch, tokens, num_heads * d_out)."""

    def __init__(
        self, d_in: int, d_out: int, context_length: int, dropout: float, num_heads: int, qkv_bias: bool = False
    ) -> None:
        super().__init__()

    def forward(self, x: Tensor) -> Tensor:
        raise NotImplementedError


class MultiHeadAttention(nn.Module):
    """All heads at once, then an output projection: (batch, tokens, d_in) -> (batch, tokens, d_out)."""

    def __init__(
        self, d_in: int, d_out: int, context_length: int, dropout: float, num_heads: int, qkv_bias: bool = False
    ) -> None:
        super().__init__()

    def forward(self, x: Tensor) -> Tensor:
        raise NotImplementedError
