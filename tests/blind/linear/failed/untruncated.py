"""The first values are not truncated at all."""
import torch
from torch import nn


class Linear(nn.Module):
    def __init__(self, in_features, out_features, device=None, dtype=None):
        super().__init__()
        std = (2 / (in_features + out_features)) ** 0.5
        self.weight = nn.Parameter(torch.randn(out_features, in_features, device=device, dtype=dtype) * std)

    def forward(self, x):
        return torch.einsum("...i,oi->...o", x, self.weight)
