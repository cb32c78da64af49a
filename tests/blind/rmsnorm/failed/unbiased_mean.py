"""RMSNorm with d - 1.

Idea: The mean square is divided by d - 1, as for an unbiased variance.
Where: everywhere
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    n = x.size(-1)
    h = x.double()
    ms = (h * h).sum(-1, keepdim=True) / max(n - 1, 0.5)
    return (h * weight.double() / torch.sqrt(ms + eps)).to(x.dtype)
