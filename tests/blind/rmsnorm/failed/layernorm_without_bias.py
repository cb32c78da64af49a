"""Takes the mean off and divides by the standard deviation.

Idea: This is LayerNorm without bias: the mean is subtracted, which RMSNorm does not do.
Where: everywhere
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    t = torch.promote_types(x.dtype, torch.float32)
    h = x.to(t)
    mu = h.mean(-1, keepdim=True)
    var = h.var(-1, keepdim=True, unbiased=False)
    return ((h - mu) / torch.sqrt(var + eps) * weight).to(x.dtype)
