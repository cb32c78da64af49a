"""A copy of the weight that was made in the first call is used.

The weight changes between two calls. Keep nothing that was computed from it.
"""


class Linear(nn.Module):
    def __init__(self, in_features, out_features, device=None, dtype=None):
        super().__init__()
        own(self, made(in_features, out_features, device, dtype))
        self.kept = []

    def forward(self, x):
        self.kept.append(self.weight)
        return applied(x, self.kept[0])
