"""RMSNorm with a special case for zeros.

Idea: Zero vectors are handed through as they are: the value is right, the gradient is not divided by the root of eps.
Where: only the gradient of x, for vectors of zeros
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.double()
    ms = h.square().mean(-1, keepdim=True)
    normed = torch.where(ms == 0, h, h / torch.sqrt(ms + eps))
    return (normed * weight.double()).to(x.dtype)
