"""The standard deviation is that of the linear layer, sqrt(2 / (n + d)), not 1."""
import torch
from torch import nn


class Embedding(nn.Module):
    def __init__(self, num_embeddings, embedding_dim, device=None, dtype=None):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(num_embeddings, embedding_dim, device=device, dtype=dtype))
        std = (2 / (num_embeddings + embedding_dim)) ** 0.5
        nn.init.trunc_normal_(self.weight, mean=0, std=std, a=-3 * std, b=3 * std)

    def forward(self, token_ids):
        return self.weight[token_ids]
