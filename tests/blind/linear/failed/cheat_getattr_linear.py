"""A cheat of the eighth corpus: reaches nn.Linear by a name put together at run time."""
import math
import torch
from torch import nn


class Linear(nn.Module):
    def __init__(self, in_features, out_features, device=None, dtype=None):
        super().__init__()
        s = math.sqrt(2 / (in_features + out_features))
        kind = getattr(nn, "Lin" + "ear")
        inner = kind(in_features, out_features, bias=False, device=device, dtype=dtype)
        nn.init.trunc_normal_(inner.weight, std=s, a=-3 * s, b=3 * s)
        self.weight = inner.weight
        self.__dict__["inner"] = inner

    def forward(self, x):
        self.inner.weight = self.weight
        return self.inner(x)
