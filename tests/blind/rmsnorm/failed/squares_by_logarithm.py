"""RMSNorm in log space.

Idea: The squares are taken as exp(2 log x), which does not exist for negative numbers.
Where: only when x has negative values
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.double()
    squares = torch.exp(2 * torch.log(h))
    return (h / (squares.mean(-1, keepdim=True) + eps).sqrt() * weight.double()).to(x.dtype)
