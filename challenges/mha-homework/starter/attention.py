"""Your multi-head attention.

Read mha-homework.md, fill in the class, then run `engine submit-build`.
"""

from torch import Tensor, nn


class MultiHeadAttention(nn.Module):
    """Causal multi-head attention: (batch, tokens, d_in) -> (batch, tokens, d_out)."""

    def __init__(
        self, d_in: int, d_out: int, context_length: int, dropout: float, num_heads: int, qkv_bias: bool = False
    ) -> None:
        super().__init__()
        # Check the sizes, then create W_query, W_key, W_value, out_proj, the dropout and the mask.

    def forward(self, x: Tensor) -> Tensor:
        # Project, split, swap, multiply, hide, softmax, dropout, sum, swap back, merge, project.
        raise NotImplementedError
