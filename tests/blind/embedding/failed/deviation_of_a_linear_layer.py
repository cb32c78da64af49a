"""Wrong: the first values are drawn with the deviation sqrt(2 / (num_embeddings + embedding_dim)) of a linear layer instead of 1."""
import math

import torch
from torch import nn


class Embedding(nn.Module):
    def __init__(self, num_embeddings, embedding_dim, device=None, dtype=None):
        super().__init__()
        std = math.sqrt(2 / (num_embeddings + embedding_dim))
        self.weight = nn.Parameter(torch.empty(num_embeddings, embedding_dim, device=device, dtype=dtype))
        nn.init.trunc_normal_(self.weight, std=std, a=-3 * std, b=3 * std)

    def forward(self, token_ids):
        return self.weight[token_ids]
