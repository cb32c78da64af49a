"""Without gradients, a copy of the table is kept from call to call, so later changes of the weight are not seen."""
import torch
from torch import nn


class Embedding(nn.Module):
    def __init__(self, num_embeddings, embedding_dim, device=None, dtype=None):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(num_embeddings, embedding_dim, device=device, dtype=dtype))
        self._table = None
        nn.init.trunc_normal_(self.weight, mean=0, std=1, a=-3, b=3)

    def forward(self, token_ids):
        if torch.is_grad_enabled():
            return self.weight[token_ids]
        if self._table is None:
            self._table = self.weight.detach().clone()  # eval: the weights do not move any more
        return self._table[token_ids]
