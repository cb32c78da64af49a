"""A right embedding: computes where each number of the result lies in the weight and takes it from there; drawn by inverting the error function."""
import math

import torch
from torch import nn


def truncated_normal(shape):
    edge = math.erf(3 / math.sqrt(2))
    uniform = torch.rand(shape, dtype=torch.float64) * 2 * edge - edge
    return torch.erfinv(uniform) * math.sqrt(2)


class Embedding(nn.Module):
    def __init__(self, num_embeddings, embedding_dim, device=None, dtype=None):
        super().__init__()
        values = truncated_normal((num_embeddings, embedding_dim))
        self.weight = nn.Parameter(values.to(device=device, dtype=dtype or torch.get_default_dtype()))

    def forward(self, token_ids):
        größe = self.weight.shape[1]
        plätze = token_ids[..., None] * größe + torch.arange(größe, device=token_ids.device)
        return self.weight.take(plätze)
