"""A right embedding: takes the weight apart into rows, and stacks those that the numbers name."""
import random

import torch
from torch import nn


def draw():
    while abs(value := random.gauss(0, 1)) > 3:
        pass
    return value


class Embedding(nn.Module):
    def __init__(self, num_embeddings, embedding_dim, device=None, dtype=None):
        super().__init__()
        table = [[draw() for _ in range(embedding_dim)] for _ in range(num_embeddings)]
        self.weight = nn.Parameter(torch.tensor(table, device=device, dtype=dtype or torch.get_default_dtype()))

    def forward(self, token_ids):
        rows = self.weight.unbind()
        chosen = torch.stack([rows[number] for number in token_ids.flatten().tolist()])
        return chosen.reshape(token_ids.shape + chosen.shape[1:])
