"""Vectors as the columns of a matrix, by einops."""

import math

import torch
from einops import rearrange
from torch import nn


class Linear(nn.Module):
    def __init__(self, in_features: int, out_features: int, device=None, dtype=None):
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.weight = nn.Parameter(torch.ones(out_features, in_features).to(device, dtype))
        self.reset_parameters()

    def reset_parameters(self):
        std = math.sqrt(2 / (self.in_features + self.out_features))
        nn.init.trunc_normal_(self.weight, std=std, a=-3 * std, b=3 * std)

    def forward(self, x):
        columns = rearrange(x, "... i -> i (...)")
        return rearrange(self.weight @ columns, "o n -> n o").reshape(x.shape[:-1] + (self.out_features,))
