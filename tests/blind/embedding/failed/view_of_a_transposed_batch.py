"""Wrong: forward flattens the numbers with view, which raises an error for a transposed or expanded batch."""
import torch
from torch import nn


class Embedding(nn.Module):
    def __init__(self, num_embeddings, embedding_dim, device=None, dtype=None):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(num_embeddings, embedding_dim, device=device, dtype=dtype))
        nn.init.trunc_normal_(self.weight, a=-3, b=3)

    def forward(self, token_ids):
        rows = self.weight.index_select(0, token_ids.view(-1))
        return rows.view(*token_ids.size(), self.weight.size(1))
