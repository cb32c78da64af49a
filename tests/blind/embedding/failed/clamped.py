"""Values outside -3 and 3 are moved to the limit instead of being drawn again."""
import torch
from torch import nn


class Embedding(nn.Module):
    def __init__(self, num_embeddings, embedding_dim, device=None, dtype=None):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(num_embeddings, embedding_dim, device=device, dtype=dtype))
        nn.init.normal_(self.weight)
        self.weight.data.clamp_(-3, 3)

    def forward(self, token_ids):
        return self.weight[token_ids]
