import torch
from torch import nn


def draw(shape):
    """Truncated standard normal by drawing again whatever is too far out."""
    z = torch.randn(shape)
    while (far := z.abs() > 3).any():
        z = torch.where(far, torch.randn(shape), z)
    return z


class Embedding(nn.Module):
    def __init__(self, num_embeddings, embedding_dim, device=None, dtype=None):
        super().__init__()
        w = draw((num_embeddings, embedding_dim))
        self.weight = nn.Parameter(w.to(device=device, dtype=dtype or torch.get_default_dtype()))

    def forward(self, token_ids):
        d = self.weight.size(1)
        idx = token_ids.flatten().unsqueeze(1).expand(-1, d)
        return self.weight.gather(0, idx).unflatten(0, token_ids.shape) if token_ids.dim() else self.weight.gather(0, idx)[0]
