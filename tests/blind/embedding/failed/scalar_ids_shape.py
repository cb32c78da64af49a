"""A single number as token_ids gives a result of shape (1, d) instead of (d,).

Embedding layer."""
from __future__ import annotations

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn


class Embedding(nn.Module):
    """Looks up rows of a table.

    num_embeddings: size of the vocabulary
    embedding_dim: size of each vector
    """

    def __init__(self, num_embeddings: int, embedding_dim: int, device: torch.device | None = None, dtype: torch.dtype | None = None):
        super().__init__()
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        table = torch.empty((num_embeddings, embedding_dim), device=device, dtype=dtype)
        nn.init.trunc_normal_(table, 0.0, 1.0, -3.0, 3.0)
        self.weight = nn.Parameter(table)

    def forward(self, token_ids: Int[Tensor, "..."]) -> Float[Tensor, "... d"]:
        token_ids = torch.atleast_1d(token_ids)
        rows = torch.index_select(self.weight, 0, token_ids.reshape(-1))
        return rows.reshape(*token_ids.shape, self.embedding_dim)
