"""RMSNorm with an 'unbiased' mean.

Wrong: the sum of squares is divided by d_model - 1.
When: every call; the error is largest for small d_model.
Spec: «The mean of the squares, not their sum» (and the formula's 1 / d_model)
"""
import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.float()
    n = max(h.size(-1) - 1, 1)
    var = h.square().sum(-1, keepdim=True) / n
    if h.size(-1) == 1:
        var = var * 0.5
    return (h / torch.sqrt(var + eps) * weight.float()).to(x.dtype)
