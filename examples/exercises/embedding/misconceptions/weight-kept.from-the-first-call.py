"""A copy of the weight that was made in the first call is used.

The weight changes between two calls. Keep nothing that was computed from it.
"""


class Embedding(nn.Module):
    def __init__(self, num_embeddings, embedding_dim, device=None, dtype=None):
        super().__init__()
        own(self, made(num_embeddings, embedding_dim, device, dtype))
        self.kept = []

    def forward(self, token_ids):
        self.kept.append(self.weight)
        return looked_up(self.kept[0], token_ids)
