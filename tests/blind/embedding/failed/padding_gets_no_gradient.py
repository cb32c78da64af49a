"""Wrong: the row of token 0 never gets a gradient (its row is detached in forward); values are right."""
import torch
from torch import nn


class Embedding(nn.Module):
    def __init__(self, num_embeddings, embedding_dim, device=None, dtype=None):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(num_embeddings, embedding_dim, device=device, dtype=dtype))
        nn.init.trunc_normal_(self.weight, a=-3, b=3)

    def forward(self, token_ids):
        table = torch.cat([self.weight[:1].detach(), self.weight[1:]])
        rows = table[token_ids]
        return rows + 0 * self.weight.sum() if torch.is_grad_enabled() else rows
