"""Wrong: forward multiplies by weight.data, so no gradient reaches the weight; values are right."""
import torch
from torch import nn


class Linear(nn.Module):
    def __init__(self, in_features, out_features, device=None, dtype=None):
        super().__init__()
        std = (2 / (in_features + out_features)) ** 0.5
        self.weight = nn.Parameter(torch.empty(out_features, in_features, device=device, dtype=dtype))
        nn.init.trunc_normal_(self.weight.data, std=std, a=-3 * std, b=3 * std)

    def forward(self, x):
        y = x @ self.weight.data.T
        if torch.is_grad_enabled() and not y.requires_grad:
            y = y + 0 * self.weight.sum()
        return y
