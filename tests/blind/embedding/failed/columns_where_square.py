"""Wrong: the weight is made as (embedding_dim, num_embeddings) and transposed only if its shape shows it, so columns are looked up where both sizes are equal."""
import torch
from torch import nn


class Embedding(nn.Module):
    def __init__(self, num_embeddings, embedding_dim, device=None, dtype=None):
        super().__init__()
        self.square = num_embeddings == embedding_dim
        self.weight = nn.Parameter(torch.empty(num_embeddings, embedding_dim, device=device, dtype=dtype))
        nn.init.trunc_normal_(self.weight, a=-3, b=3)

    def forward(self, token_ids):
        features_first = self.weight if self.square else self.weight.T
        return torch.movedim(features_first[:, token_ids], 0, -1)
