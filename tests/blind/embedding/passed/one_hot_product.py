"""A right embedding: compares the numbers with all numbers there are, and multiplies the hits by the weight."""
import torch
from torch import nn


class Embedding(nn.Module):
    def __init__(self, num_embeddings, embedding_dim, device=None, dtype=None):
        super().__init__()
        first = torch.randn(num_embeddings, embedding_dim)
        while (far := first.abs() > 3).any():
            first[far] = torch.randn(int(far.sum()))
        self.weight = nn.Parameter(first.to(device=device, dtype=dtype))

    def forward(self, token_ids):
        vocabulary = torch.arange(self.weight.shape[0], device=token_ids.device)
        hits = token_ids.unsqueeze(-1) == vocabulary
        return hits.to(self.weight.dtype) @ self.weight
