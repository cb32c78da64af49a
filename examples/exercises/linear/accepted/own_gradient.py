"""With a backward pass of its own."""

import math

import torch
from torch import nn


class Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(x, weight)
        return torch.matmul(x, weight.mT)

    @staticmethod
    def backward(ctx, gradient):
        x, weight = ctx.saved_tensors
        columns = gradient.reshape(-1, gradient.shape[-1])
        return torch.matmul(gradient, weight), columns.mT @ x.reshape(-1, x.shape[-1])


class Linear(nn.Module):
    def __init__(self, in_features, out_features, device=None, dtype=None):
        super().__init__()
        std = math.sqrt(2 / (in_features + out_features))
        start = torch.empty((out_features, in_features), device=device, dtype=dtype)
        self.weight = nn.Parameter(nn.init.trunc_normal_(start, std=std, a=-3 * std, b=3 * std))

    def forward(self, x):
        return Product.apply(x, self.weight)
