"""The library's layer, with other first values."""

from torch import nn


class Embedding(nn.Embedding):
    def __init__(self, num_embeddings, embedding_dim, device=None, dtype=None):
        super().__init__(num_embeddings, embedding_dim, device=device, dtype=dtype)
        nn.init.trunc_normal_(self.weight, a=-3, b=3)
