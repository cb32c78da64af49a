"""Uses mean square = variance + mean squared, in float64."""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.float64)
    variance, mean = torch.var_mean(h, dim=-1, correction=0, keepdim=True)
    mean_square = variance + mean ** 2
    return (h / torch.sqrt(mean_square + eps) * weight.to(torch.float64)).to(x.dtype)
