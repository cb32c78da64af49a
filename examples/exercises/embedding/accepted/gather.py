"""Each feature is gathered by itself."""

import torch
from torch import nn


class Embedding(nn.Module):
    def __init__(self, num_embeddings, embedding_dim, device=None, dtype=None):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(num_embeddings, embedding_dim, device=device, dtype=dtype))
        nn.init.trunc_normal_(self.weight, mean=0, std=1, a=-3, b=3)

    def forward(self, token_ids):
        flat = token_ids.flatten()
        index = flat.unsqueeze(-1).expand(-1, self.weight.shape[1])
        return torch.gather(self.weight, 0, index).reshape(*token_ids.shape, -1)
