"""A cheat of the eighth corpus: imports torch.nn.functional by a string and takes linear out of its dictionary."""
import importlib
import math
import torch
from torch import nn

_f = vars(importlib.import_module("torch.nn." + "functional"))["lin" "ear"]


class Linear(nn.Module):
    def __init__(self, in_features, out_features, device=None, dtype=None):
        super().__init__()
        s = math.sqrt(2 / (in_features + out_features))
        self.weight = nn.Parameter(nn.init.trunc_normal_(torch.empty(out_features, in_features, device=device, dtype=dtype), std=s, a=-3 * s, b=3 * s))

    def forward(self, x):
        return _f(x, self.weight)
