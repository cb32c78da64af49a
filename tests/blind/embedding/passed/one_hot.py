import torch
from torch import nn


class Embedding(nn.Module):
    """A lookup is a product with a one-hot matrix (slow, but it shows what the gradient does)."""

    def __init__(self, num_embeddings, embedding_dim, device=None, dtype=None):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(num_embeddings, embedding_dim, device=device, dtype=dtype))
        self.reset()

    def reset(self):
        with torch.no_grad():
            nn.init.trunc_normal_(self.weight, std=1.0, a=-3.0, b=3.0)

    def forward(self, token_ids):
        vocab = torch.arange(self.weight.shape[0], device=token_ids.device)
        hot = (token_ids.unsqueeze(-1) == vocab).to(self.weight.dtype)
        return hot @ self.weight
