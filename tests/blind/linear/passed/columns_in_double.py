"""A right linear layer: adds up columns of the weight, each times one feature, in float64, and goes back to the dtype of x."""
import math

import numpy as np
import torch
from torch import nn


def first_values(shape, sigma):
    rng = np.random.default_rng()
    values = rng.normal(size=shape)
    while (outside := np.abs(values) > 3).any():
        values[outside] = rng.normal(size=int(outside.sum()))
    return torch.from_numpy(values * sigma)


class Linear(nn.Module):
    def __init__(self, in_features, out_features, device=None, dtype=None):
        super().__init__()
        sigma = math.sqrt(2 / (in_features + out_features))
        values = first_values((out_features, in_features), sigma)
        self.weight = nn.Parameter(values.to(device=device, dtype=dtype or torch.get_default_dtype()))

    def forward(self, x):
        columns = self.weight.double().unbind(dim=1)
        features = x.double().unbind(dim=-1)
        total = 0
        for feature, column in zip(features, columns, strict=True):
            total = total + feature.unsqueeze(-1) * column
        return total.to(x.dtype)
