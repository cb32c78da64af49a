"""The squares are summed as a product of x with itself."""

import torch


def rmsnorm(x, weight, eps=1e-5):
    wide = x.double()
    squares = torch.einsum("...d,...d->...", wide, wide) / x.size(-1)
    scale = (squares + eps) ** -0.5
    return torch.einsum("...d,...,d->...d", wide, scale, weight.double()).to(x.dtype)
