import torch
import torch.nn.functional as F
from torch import nn


class Embedding(nn.Module):
    def __init__(self, num_embeddings: int, embedding_dim: int, device=None, dtype=None):
        super().__init__()
        self.vocab = num_embeddings
        self.weight = nn.Parameter(
            nn.init.trunc_normal_(torch.empty(num_embeddings, embedding_dim, device=device, dtype=dtype), mean=0.0, std=1.0, a=-3.0, b=3.0)
        )

    def forward(self, token_ids):
        hot = F.one_hot(token_ids, self.vocab).to(self.weight.dtype)
        return torch.tensordot(hot, self.weight, dims=1)
