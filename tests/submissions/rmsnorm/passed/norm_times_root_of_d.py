"""Through the length of the vector, with eps under the root of the sum."""

import torch


def rmsnorm(x, weight, eps=1e-5):
    d = x.size(-1)
    wide = x.to(torch.float64)
    length = torch.sqrt(wide.pow(2).sum(-1, keepdim=True) + d * eps)
    return (wide / length * d**0.5 * weight.to(torch.float64)).to(x.dtype)
