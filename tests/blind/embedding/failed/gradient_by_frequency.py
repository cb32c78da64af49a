"""Wrong: the gradient of a token is the mean of its places and not their sum (a hook on the result divides by how often the token is there)."""
import torch
from torch import nn


class Embedding(nn.Module):
    def __init__(self, num_embeddings, embedding_dim, device=None, dtype=None):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(num_embeddings, embedding_dim, device=device, dtype=dtype))
        nn.init.trunc_normal_(self.weight, a=-3, b=3)

    def forward(self, token_ids):
        vectors = self.weight[token_ids]
        if vectors.requires_grad:
            often = torch.bincount(token_ids.reshape(-1), minlength=self.weight.shape[0])[token_ids]
            vectors.register_hook(lambda grad: grad / often.unsqueeze(-1).to(grad.dtype))
        return vectors
