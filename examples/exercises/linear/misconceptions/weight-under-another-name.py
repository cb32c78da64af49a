"""The weight has another name.

Checkpoints find a parameter by its name: `weight`.
"""


def own(layer, weight):
    layer.W = nn.Parameter(weight)


class Linear(nn.Module):
    def __init__(self, in_features, out_features, device=None, dtype=None):
        super().__init__()
        own(self, made(in_features, out_features, device, dtype))

    def forward(self, x):
        return applied(x, self.W)
