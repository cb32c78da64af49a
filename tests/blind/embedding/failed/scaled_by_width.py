"""Wrong: rows are multiplied by the root of embedding_dim in forward, as the original Transformer did."""
import torch
from torch import nn


class Embedding(nn.Module):
    def __init__(self, num_embeddings, embedding_dim, device=None, dtype=None):
        super().__init__()
        self.scale = embedding_dim**0.5
        self.weight = nn.Parameter(torch.empty(num_embeddings, embedding_dim, device=device, dtype=dtype))
        nn.init.trunc_normal_(self.weight, a=-3, b=3)

    def forward(self, token_ids):
        return self.weight.index_select(0, token_ids.flatten()).reshape(*token_ids.shape, -1) * self.scale
