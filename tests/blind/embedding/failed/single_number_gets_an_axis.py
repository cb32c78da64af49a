"""Wrong: a single number is made a list of one, so the result has a leading axis too many (in forward)."""
import torch
from torch import nn


class Embedding(nn.Module):
    def __init__(self, num_embeddings, embedding_dim, device=None, dtype=None):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(num_embeddings, embedding_dim, device=device, dtype=dtype))
        nn.init.trunc_normal_(self.weight, a=-3, b=3)

    def forward(self, token_ids):
        ids = torch.atleast_1d(token_ids)
        width = self.weight.shape[1]
        return self.weight.gather(0, ids.reshape(-1, 1).expand(-1, width)).reshape(*ids.shape, width)
