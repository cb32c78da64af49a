"""RMSNorm with the standard deviation.

Idea: The standard deviation is taken for the root mean square: the spread around the mean instead of the size.
Where: everywhere
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    wide = x.float() if x.dtype != torch.float64 else x
    spread = wide.var(dim=-1, keepdim=True, unbiased=False)
    return ((wide / (spread + eps).sqrt()) * weight.to(wide.dtype)).to(x.dtype)
