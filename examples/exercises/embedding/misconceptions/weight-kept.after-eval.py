"""A copy of the weight from the first call after eval() is used.

The weight changes between two calls after eval(), too, where a checkpoint is loaded. Take `self.weight` in each call.
"""


class Embedding(nn.Module):
    def __init__(self, num_embeddings, embedding_dim, device=None, dtype=None):
        super().__init__()
        own(self, made(num_embeddings, embedding_dim, device, dtype))
        self.rows = None

    def forward(self, token_ids):
        if self.training:
            return looked_up(self.weight, token_ids)
        if self.rows is None:
            self.rows = self.weight.detach().clone()
        return looked_up(self.rows, token_ids)
