"""A transposed copy of the weight from the first call without gradients is used.

The weight changes between two calls without gradients, too. Transpose `self.weight` in each call: that copies nothing.
"""


class Linear(nn.Module):
    def __init__(self, in_features, out_features, device=None, dtype=None):
        super().__init__()
        own(self, made(in_features, out_features, device, dtype))
        self.columns = None

    def forward(self, x):
        if torch.is_grad_enabled():
            return applied(x, self.weight)
        if self.columns is None:
            self.columns = self.weight.T.contiguous()
        return applied(x, self.columns.T)
