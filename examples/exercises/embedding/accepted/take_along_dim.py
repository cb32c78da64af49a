"""take_along_dim broadcasts over the features."""

import torch
from torch import nn


class Embedding(nn.Module):
    def __init__(self, num_embeddings, embedding_dim, device=None, dtype=None):
        super().__init__()
        weight = torch.ones(num_embeddings, embedding_dim).to(device=device, dtype=dtype)
        self.register_parameter("weight", nn.Parameter(weight))
        with torch.no_grad():
            nn.init.trunc_normal_(self.weight, 0.0, 1.0, -3.0, 3.0)

    def forward(self, token_ids):
        index = token_ids.reshape(-1, 1)
        return torch.take_along_dim(self.weight, index, dim=0).view(token_ids.shape + self.weight.shape[1:])
