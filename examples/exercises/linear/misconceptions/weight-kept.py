"""A copy of the weight that was made with the layer is used.

The weight changes, by an optimiser or a checkpoint, and your copy does not. Take `self.weight` in each call, and
transpose it there.
"""


class Linear(nn.Module):
    def __init__(self, in_features, out_features, device=None, dtype=None):
        super().__init__()
        own(self, made(in_features, out_features, device, dtype))
        self.kept = self.weight.detach().clone()

    def forward(self, x):
        return applied(x, self.kept.to(x.dtype))
