"""The Transformer block: attention and a feed-forward network, each behind a norm, with residual paths around them."""

from torch import Tensor

# Your parts may stand here, or be imported from your own package: RMSNorm, RoPE, attention, SwiGLU.


def transformer_block(
    x: Tensor,
    weights: dict[str, Tensor],
    num_heads: int,
    max_seq_len: int,
    theta: float,
    token_positions: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """(..., seq, d_model) -> (..., seq, d_model)."""
    raise NotImplementedError
