"""Wrong: token 0 is taken for padding, and gets zeros instead of its row (in forward)."""
import torch
from torch import nn


class Embedding(nn.Module):
    def __init__(self, num_embeddings, embedding_dim, device=None, dtype=None):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(num_embeddings, embedding_dim, device=device, dtype=dtype))
        nn.init.trunc_normal_(self.weight, a=-3, b=3)

    def forward(self, token_ids):
        shown = (token_ids != 0).unsqueeze(-1)
        return self.weight[token_ids] * shown
