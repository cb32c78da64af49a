"""The first values have a standard deviation of 0.02 instead of 1."""
import torch
from torch import nn


class Embedding(nn.Module):
    def __init__(self, num_embeddings, embedding_dim, device=None, dtype=None):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(num_embeddings, embedding_dim, device=device, dtype=dtype))
        nn.init.trunc_normal_(self.weight, mean=0, std=0.02, a=-3, b=3)

    def forward(self, token_ids):
        return self.weight[token_ids]
