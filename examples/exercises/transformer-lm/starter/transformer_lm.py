"""The whole language model: embeddings, a stack of blocks, a last norm, and logits of the token that comes next."""

from torch import Tensor

# Your parts may stand here, or be imported from your own package: embedding, block, RMSNorm.


def transformer_lm(
    token_ids: Tensor,
    weights: dict[str, Tensor],
    num_layers: int,
    num_heads: int,
    max_seq_len: int,
    theta: float,
    eps: float = 1e-5,
) -> Tensor:
    """(..., seq) -> (..., seq, vocab_size)."""
    raise NotImplementedError
