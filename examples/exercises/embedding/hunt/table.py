"""A table of vectors, one row for each token."""

import torch
from torch import Tensor, nn

LIMIT = 3.0


def filled(table: Tensor) -> Tensor:
    """With the numbers that training begins from."""
    with torch.no_grad():
        nn.init.trunc_normal_(table, mean=0.0, std=1.0, a=-LIMIT, b=LIMIT)
    return table


def rows_of(table: Tensor, numbers: Tensor) -> Tensor:
    """One row for each number: (count, features)."""
    return torch.index_select(table, 0, numbers)


class Embedding(nn.Module):
    """Tokens in, vectors out."""

    def __init__(self, num_embeddings, embedding_dim, device=None, dtype=None):
        super().__init__()
        options = {"device": device, "dtype": dtype}
        table = torch.empty(num_embeddings, embedding_dim, **options)
        self.weight = nn.Parameter(filled(table))
        self.features = embedding_dim

    def forward(self, token_ids):
        numbers = token_ids.reshape(-1)
        rows = rows_of(self.weight, numbers)
        sizes = [*token_ids.shape, self.features]
        return rows.reshape(sizes)
