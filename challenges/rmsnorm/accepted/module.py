"""A module of one's own behind the function."""

import torch
from torch import nn


class RMSNorm(nn.Module):
    def __init__(self, eps):
        super().__init__()
        self.eps = eps

    def forward(self, x, weight):
        in_dtype = x.dtype
        x = x.to(torch.float32)
        rms = (x.square().mean(dim=-1, keepdim=True) + self.eps).sqrt()
        return ((x / rms) * weight).to(in_dtype)


def rmsnorm(x, weight, eps=1e-5):
    return RMSNorm(eps)(x, weight)
