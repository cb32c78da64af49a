"""Wrong: numbers are clamped to num_embeddings - 2, so the last token gets the row before it (off by one in forward)."""
import torch
from torch import nn


class Embedding(nn.Module):
    def __init__(self, num_embeddings, embedding_dim, device=None, dtype=None):
        super().__init__()
        self.highest = max(num_embeddings - 2, 0)
        self.weight = nn.Parameter(torch.empty(num_embeddings, embedding_dim, device=device, dtype=dtype))
        nn.init.trunc_normal_(self.weight, a=-3, b=3)

    def forward(self, token_ids):
        safe = token_ids.clamp(0, self.highest)
        return self.weight[safe]
