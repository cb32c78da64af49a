"""The generator is made once with a fixed seed, so layers get the same first values whenever the program is started, and two equal layers do."""
import math

import torch
from torch import nn


class Linear(nn.Module):
    def __init__(self, in_features, out_features, device=None, dtype=None):
        super().__init__()
        gen = torch.Generator().manual_seed(336)
        std = math.sqrt(2 / (in_features + out_features))
        self.weight = nn.Parameter(torch.empty(out_features, in_features, device=device, dtype=dtype))
        nn.init.trunc_normal_(self.weight, std=std, a=-3 * std, b=3 * std, generator=gen)

    def forward(self, x):
        return x.matmul(self.weight.t())
