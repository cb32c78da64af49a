"""The table is stored as (embedding_dim, num_embeddings) and columns are looked up instead of rows."""
import torch
from torch import nn


class Embedding(nn.Module):
    def __init__(self, num_embeddings, embedding_dim, device=None, dtype=None):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(embedding_dim, num_embeddings, device=device, dtype=dtype))
        nn.init.trunc_normal_(self.weight, mean=0, std=1, a=-3, b=3)

    def forward(self, token_ids):
        return self.weight.T[token_ids]
