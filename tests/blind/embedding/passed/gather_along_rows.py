"""A right embedding: gather along the rows of the weight, with each number repeated for every feature."""
import torch
from torch import nn


class Embedding(nn.Module):
    def __init__(self, num_embeddings, embedding_dim, device=None, dtype=None):
        super().__init__()
        self.weight = nn.Parameter(torch.empty((num_embeddings, embedding_dim), device=device, dtype=dtype))
        nn.init.trunc_normal_(self.weight, 0, 1, -3, 3)

    def forward(self, token_ids):
        width = self.weight.size(1)
        index = token_ids.flatten()[:, None].expand(-1, width)
        return torch.gather(self.weight, 0, index).view(token_ids.shape + (width,))
