"""RMSNorm from the identity mean(x^2) = var(x) + mean(x)^2."""

import torch


def rmsnorm(x, weight, eps=1e-5):
    z = x.double()
    mean_square = z.var(dim=-1, correction=0, keepdim=True) + z.mean(dim=-1, keepdim=True) ** 2
    y = z / torch.sqrt(mean_square + eps) * weight.double()
    return y.to(dtype=x.dtype)
