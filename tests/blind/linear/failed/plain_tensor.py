"""The weight is a plain tensor, not an nn.Parameter, so optimisers and state_dict do not find it."""
import math

import torch
from torch import nn


class Linear(nn.Module):
    def __init__(self, in_features, out_features, device=None, dtype=None):
        super().__init__()
        std = math.sqrt(2 / (in_features + out_features))
        self.weight = torch.empty(out_features, in_features, device=device, dtype=dtype, requires_grad=True)
        nn.init.trunc_normal_(self.weight, mean=0.0, std=std, a=-3 * std, b=3 * std)

    def forward(self, x):
        return x @ self.weight.T
