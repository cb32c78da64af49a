"""Uses that the mean of squares is the variance plus the square of the mean."""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    var, mean = torch.var_mean(h, dim=-1, correction=0, keepdim=True)
    return (h * torch.rsqrt(var + mean * mean + eps) * weight).to(x.dtype)
