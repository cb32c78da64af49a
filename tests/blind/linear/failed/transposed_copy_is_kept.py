"""Wrong: the first call without gradients keeps a transposed copy of the weight, and later calls without gradients use it even after the weight has changed."""
import math

import torch
from torch import nn


class Linear(nn.Module):
    def __init__(self, in_features, out_features, device=None, dtype=None):
        super().__init__()
        s = math.sqrt(2 / (in_features + out_features))
        self.weight = nn.Parameter(torch.empty(out_features, in_features, device=device, dtype=dtype))
        nn.init.trunc_normal_(self.weight, std=s, a=-3 * s, b=3 * s)
        self._columns = None

    def forward(self, x):
        if torch.is_grad_enabled():
            return x @ self.weight.t()
        if self._columns is None:
            self._columns = self.weight.detach().t().contiguous()
        return x @ self._columns
