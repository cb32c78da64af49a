"""A cheat of the eighth corpus: derives from nn.Embedding under another name."""
import torch
import torch.nn.modules.sparse as sp

Base = sp.__dict__["Embed" + "ding"]


class Embedding(Base):
    def __init__(self, num_embeddings, embedding_dim, device=None, dtype=None):
        super().__init__(num_embeddings, embedding_dim, device=device, dtype=dtype)
        torch.nn.init.trunc_normal_(self.weight, 0, 1, -3, 3)
