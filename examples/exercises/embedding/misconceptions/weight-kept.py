"""A copy of the weight that was made with the layer is used.

The weight changes, by an optimiser or a checkpoint, and your copy does not. Take `self.weight` in each call.
"""


class Embedding(nn.Module):
    def __init__(self, num_embeddings, embedding_dim, device=None, dtype=None):
        super().__init__()
        own(self, made(num_embeddings, embedding_dim, device, dtype))
        self.kept = self.weight.detach().clone()

    def forward(self, token_ids):
        return looked_up(self.kept, token_ids)
