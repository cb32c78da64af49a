"""Wrong: forward looks at the shapes to find out whether to transpose the weight, and does not transpose it where both sizes are equal."""
import torch
from torch import nn


class Linear(nn.Module):
    def __init__(self, in_features, out_features, device=None, dtype=None):
        super().__init__()
        std = (2 / (in_features + out_features)) ** 0.5
        self.weight = nn.Parameter(torch.empty(out_features, in_features, device=device, dtype=dtype))
        nn.init.trunc_normal_(self.weight, std=std, a=-3 * std, b=3 * std)

    def forward(self, x):
        matrix = self.weight
        if matrix.shape[0] != x.shape[-1]:
            matrix = matrix.t()
        return x @ matrix
