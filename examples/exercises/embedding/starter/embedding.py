"""Your embedding.

Read embedding.md, fill in the class, then run `engine submit-build`.
"""

import torch
from torch import Tensor, nn


class Embedding(nn.Module):
    """One parameter, `weight` of shape (num_embeddings, embedding_dim)."""

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        device: torch.device | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        raise NotImplementedError

    def forward(self, token_ids: Tensor) -> Tensor:
        """(...) -> (..., embedding_dim), in the dtype of the weight."""
        raise NotImplementedError
