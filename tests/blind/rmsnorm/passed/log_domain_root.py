"""The root is taken as exp of half the logarithm."""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.double()
    inverse = torch.exp(-0.5 * torch.log(h.square().mean(-1, keepdim=True) + eps))
    return (h * inverse * weight.double()).to(x.dtype)
