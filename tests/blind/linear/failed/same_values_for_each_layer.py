"""Wrong: a generator with a fixed seed draws the first values, so that two layers of one size begin with the same weight."""
import torch
from torch import nn


class Linear(nn.Module):
    def __init__(self, in_features, out_features, device=None, dtype=None):
        super().__init__()
        source = torch.Generator().manual_seed(in_features * 1000003 + out_features)
        std = (2 / (in_features + out_features)) ** 0.5
        first = torch.empty(out_features, in_features)
        nn.init.trunc_normal_(first, std=std, a=-3 * std, b=3 * std, generator=source)
        self.weight = nn.Parameter(first.to(device=device, dtype=dtype))

    def forward(self, x):
        return torch.einsum("oi,...i->...o", self.weight, x)
