"""Wrong: the weight is registered as a buffer, not as a parameter, so optimisers do not find it."""
import torch
from torch import nn


class Embedding(nn.Module):
    def __init__(self, num_embeddings, embedding_dim, device=None, dtype=None):
        super().__init__()
        weight = torch.empty(num_embeddings, embedding_dim, device=device, dtype=dtype)
        nn.init.trunc_normal_(weight, a=-3, b=3)
        self.register_buffer("weight", weight.requires_grad_())

    def forward(self, token_ids):
        return self.weight[token_ids]
